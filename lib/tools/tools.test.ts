import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixtureFolder, RECORDED_VERSIONS, sharedRecording } from "@/lib/testing/recorded";
import { foldsIntoRuns, shortToolName, splitToolName, toolNamed } from "./tools";

const FIXTURES = fixtureFolder();

/** What 1.0.128 to 2.1.330 were recorded calling, and names that others have seen. */
const KNOWN =
  "Bash PowerShell BashOutput KillShell KillBash Read Write Edit MultiEdit NotebookRead NotebookEdit Glob Grep LS LSP WebFetch WebSearch Task Agent SendMessage ListAgents TeamCreate TeamDelete Workflow StructuredOutput advisor TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop TodoWrite TodoRead AskUserQuestion EnterPlanMode ExitPlanMode Skill SlashCommand ToolSearch EnterWorktree ExitWorktree Cd Monitor ScheduleWakeup CronCreate CronDelete CronList Artifact PushNotification RemoteTrigger ReportFindings SendUserFile ShareOnboardingGuide WaitForMcpServers ListMcpResourcesTool ReadMcpResourceTool ask_user_question exit_plan_mode";

/** Also calls that the API runs itself. */
const CALL = /"type":"(?:server_|mcp_)?tool_use","id":"[^"]*","name":"([^"]+)"/g;

describe("the catalogue of tools", () => {
  it("knows every tool by its name", () => {
    expect(KNOWN.split(" ").filter((name) => toolNamed(name) === null)).toEqual([]);
  });

  it("knows every tool in the recordings, except those that never existed", () => {
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
    expect([...names].filter((name) => toolNamed(name) === null && name !== "NoSuchTool")).toEqual([]);
  });

  it("knows a tool by each of its names", () => {
    const names = "Task Agent KillBash KillShell AgentOutputTool exit_plan_mode web_fetch".split(" ");
    expect(names.map((name) => `${name}: ${toolNamed(name)?.name}, ${shortToolName(name)}`)).toEqual([
      "Task: Agent, Task",
      "Agent: Agent, Agent",
      "KillBash: TaskStop, KillBash",
      "KillShell: TaskStop, KillShell",
      "AgentOutputTool: TaskOutput, AgentOutputTool",
      "exit_plan_mode: ExitPlanMode, Plan",
      "web_fetch: WebFetch, web_fetch",
    ]);
  });

  it("treats any other name as an unknown tool", () => {
    for (const name of ["", "constructor", "__proto__", "toString", "bash", "mcp__a__Bash"]) {
      expect(toolNamed(name), name).toBeNull();
      expect(shortToolName(name)).toBe(name || "(blank name)");
      expect(foldsIntoRuns(name), name).toBe(true);
    }
  });

  it("gives calls rows of their own if they ask the user, or start or write to an agent", () => {
    const names = "Task Workflow SendMessage ask_user_question ExitPlanMode enter_plan_mode Bash Read".split(
      " ",
    );
    expect(names.filter(foldsIntoRuns)).toEqual(["Bash", "Read"]);
  });

  it("names the server of an MCP tool", () => {
    expect(["mcp__git__log", "mcp__a__b__c", "mcp__x", "Read"].map(splitToolName)).toEqual([
      ["git", "log"],
      ["a", "b__c"],
      [null, "mcp__x"],
      [null, "Read"],
    ]);
  });
});
