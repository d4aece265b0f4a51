import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixtureFolder } from "@/lib/testing/fixture-folder";
import { RECORDED_VERSIONS, sharedRecording } from "@/lib/testing/recorded";
import { TOOL_VIEWS } from "./registry";

const FIXTURES = fixtureFolder();

/** What 1.0.128 to 2.1.330 were recorded calling, and names that others have seen. */
const KNOWN =
  "Bash PowerShell BashOutput KillShell KillBash Read Write Edit MultiEdit NotebookRead NotebookEdit Glob Grep LS LSP WebFetch WebSearch Task Agent SendMessage ListAgents TeamCreate TeamDelete Workflow StructuredOutput advisor TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop TodoWrite TodoRead AskUserQuestion EnterPlanMode ExitPlanMode Skill SlashCommand ToolSearch EnterWorktree ExitWorktree Cd Monitor ScheduleWakeup CronCreate CronDelete CronList Artifact PushNotification RemoteTrigger ReportFindings SendUserFile ShareOnboardingGuide WaitForMcpServers ListMcpResourcesTool ReadMcpResourceTool ask_user_question exit_plan_mode";

/** Also calls that the API runs itself. */
const CALL = /"type":"(?:server_|mcp_)?tool_use","id":"[^"]*","name":"([^"]+)"/g;

describe("the views of tools", () => {
  it("know every tool by its name", () => {
    expect(KNOWN.split(" ").filter((name) => !TOOL_VIEWS.has(name))).toEqual([]);
  });

  it("leave no recorded call to the raw view but those of tools that never were", () => {
    const names = new Set<string>();
    const note = (folder: string) => {
      for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!file.endsWith(".jsonl")) continue;
        const text = readFileSync(join(folder, file), "utf8");
        for (const [, name] of text.matchAll(CALL)) if (name && !name.startsWith("mcp__")) names.add(name);
      }
    };
    note(FIXTURES);
    for (const version of RECORDED_VERSIONS) {
      using recording = sharedRecording(version);
      note(recording.claudeDir);
    }
    expect([...names]).toEqual(
      expect.arrayContaining(["MultiEdit", "TaskOutput", "EnterWorktree", "Monitor"]),
    );
    // The recordings ask for it to see what the client answers: "No such tool available".
    expect([...names].filter((name) => !TOOL_VIEWS.has(name) && name !== "NoSuchTool")).toEqual([]);
  });
});
