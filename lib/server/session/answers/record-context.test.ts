import { expect, it } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { READINGS } from "@/lib/testing/readings";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { recordDetail } from "./record-detail";

let count = 0;
const time = () => new Date(Date.parse("2026-01-02T03:04:05.000Z") + ++count * 1000).toISOString();

const call = (id: string, parentUuid: string) => ({
  type: "assistant",
  uuid: `c-${id}`,
  parentUuid,
  timestamp: time(),
  message: { id: "m", role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: {} }] },
});

const hook = (hookName: string, toolUseID: string) => ({
  type: "attachment",
  uuid: `${hookName} ${toolUseID}`,
  parentUuid: `c-${toolUseID}`,
  timestamp: time(),
  attachment: { type: "hook_success", hookName, toolUseID, durationMs: 5 },
});

const agentLine = (n: number) => ({
  ...prompt(`look ${n}`, { timestamp: time() }),
  isSidechain: true,
  agentId: "a1",
});

/** The hooks that the details of a call name, however its session came to be open. */
async function hooksOf(main: readonly object[], agent: readonly object[], of: string) {
  const folder = `projects/-home-dev-shop/${uuid(1)}`;
  const { catalog } = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: main as Record<string, unknown>[],
      [`${folder}/subagents/agent-a1.jsonl`]: agent as Record<string, unknown>[],
    }),
  );
  const found: Record<string, string[]> = {};
  for (const [reading, open] of Object.entries(READINGS)) {
    const session = await open(catalog.sessionFiles(uuid(1) as SessionId));
    const { context } = await recordDetail(session, session.recordId(session.findUuid(of)));
    found[reading] = context.hooks.map(({ name }) => name);
  }
  return found;
}

/** The same answer for every reading. */
const always = (hooks: string[]) => Object.fromEntries(Object.keys(READINGS).map((name) => [name, hooks]));

it("has a call's hooks, even if an agent wrote lines meanwhile", async () => {
  const main: object[] = [prompt("go", { parentUuid: null, timestamp: time() })];
  const agent: object[] = [];
  main.push(call("t1", "u-go"));
  agent.push(agentLine(1));
  main.push(hook("PreToolUse:Bash", "t1"));
  agent.push(agentLine(2));
  main.push(hook("PostToolUse:Bash", "t1"));
  expect(await hooksOf(main, agent, "c-t1")).toEqual(always(["PreToolUse:Bash", "PostToolUse:Bash"]));
});

it("has a call's hooks, even after those of many parallel calls", async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `t${n}`);
  const main = [
    prompt("go", { parentUuid: null, timestamp: time() }),
    ...ids.map((id, n) => call(id, n === 0 ? "u-go" : `c-t${n - 1}`)),
    ...ids.map((id) => hook(`PreToolUse:${id}`, id)),
  ];
  expect(await hooksOf(main, [agentLine(1)], "c-t39")).toEqual(always(["PreToolUse:t39"]));
});

it("says how each command of a hook ended, even if several have one name (2.1.110, 2.1.330)", async () => {
  const line = (type: string, command: string | undefined, parentUuid: string) => ({
    ...{ type: "attachment", uuid: `${type} ${command}`, parentUuid, timestamp: time() },
    attachment: { type, hookName: "Stop", toolUseID: "stop-1", command },
  });
  const folder = `projects/-home-dev-shop/${uuid(1)}`;
  const { catalog } = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: [
        prompt("go", { parentUuid: null, timestamp: time() }),
        line("hook_success", "echo stopped", "u-go"),
        line("hook_system_message", undefined, "hook_success echo stopped"),
        line("hook_non_blocking_error", "exit 1", "hook_system_message undefined"),
      ],
    }),
  );
  for (const open of Object.values(READINGS)) {
    const session = await open(catalog.sessionFiles(uuid(1) as SessionId));
    const { context } = await recordDetail(session, session.recordId(session.findUuid("u-go")));
    expect(context.hooks.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      "Stop ok",
      "Stop failed",
    ]);
  }
});
