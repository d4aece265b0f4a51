import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { idOf, type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";

const SCENARIOS = [
  "task-one",
  "task-parallel",
  "task-nested",
  "task-background",
  "task-foreground",
  "task-resume",
  "tui-agents",
  "tui-agent-interrupt",
  "workflow",
];

const agentsOf = async ({ sessions }: OpenFolder, id: SessionId) =>
  (await settled(() => sessions.agents(id, { limit: 100, cursor: null }))).agents;

/** Every row of a session, its agents' threads included. */
async function everyRow(folder: OpenFolder, id: SessionId, agents: readonly AgentEntry[]): Promise<Row[]> {
  const threads = [undefined, ...agents.map(({ agentId }) => agentId)];
  const rows = await Promise.all(
    threads.map((agent) => rowsOf(folder, id, "tools", agent === undefined ? {} : { agent })),
  );
  return rows.flatMap((answered) => answered.rows);
}

/** The sessions of a scenario that have agents. */
async function sessionsWithAgents(version: RecordedVersion, name: string) {
  const { folder, scenarios } = await openRecording(version);
  const { session, sessions = [] } = scenarios[name] ?? {};
  const found: { folder: OpenFolder; id: SessionId; agents: AgentEntry[] }[] = [];
  for (const one of new Set([...sessions, ...(session ? [session] : [])])) {
    const id = idOf(folder, one);
    const agents = await agentsOf(folder, id);
    if (agents.length > 0) found.push({ folder, id, agents });
  }
  return found;
}

test.each(RECORDED_VERSIONS)("an agent's time is the same wherever it is told: %s", async (version) => {
  let compared = 0;
  for (const name of SCENARIOS) {
    for (const { folder, id, agents } of await sessionsWithAgents(version, name)) {
      const rows = await everyRow(folder, id, agents);
      const graph = await settled(() => folder.sessions.graph(id));
      for (const { agentId, durationMs, startedAtMs, endedAtMs } of agents) {
        const told = rows.flatMap((row) =>
          row.kind === "tool" && row.agent ? (row.agents ?? [row.agent]) : [],
        );
        const worked = told.filter((one) => one.agentId === agentId).map((one) => one.durationMs ?? 0);
        const place = `${name} ${agentId}`;
        expect(worked.length > 0 ? sum(worked) : durationMs, place).toBe(durationMs);
        const alone = rows.filter(
          (row) => row.kind === "tool" && row.agent?.agentId === agentId && row.agents === undefined,
        );
        const ofCalls = alone.length > 0 ? sum(alone.map((row) => row.durationMs ?? 0)) : durationMs;
        expect(ofCalls, place).toBe(durationMs);
        const returned = rows.filter((row) => row.kind === "agent-return" && row.agentId === agentId);
        const isTold = returned.length === alone.length && returned.length > 0;
        const ofReturns = isTold ? sum(returned.map((row) => row.durationMs ?? 0)) : durationMs;
        expect(ofReturns, place).toBe(durationMs);
        expect(graph.lines.tookMs[graph.lines.agent.indexOf(agentId)], place).toBe(durationMs);
        expect((endedAtMs ?? 0) - (startedAtMs ?? 0), place).toBeGreaterThanOrEqual(durationMs ?? 0);
        compared += 1;
      }
      for (const turn of rows.filter((row) => row.kind === "turn").map((row) => row.turn)) {
        const brief = await settled(() => folder.sessions.brief(id, turn, null)).catch(() => null);
        for (const { agentId, durationMs, state } of brief?.agents ?? [])
          expect(agents.find((one) => one.agentId === agentId)).toMatchObject({ durationMs, state });
      }
    }
  }
  expect(compared).toBeGreaterThan(3);
});

/** Read off the lines: from an agent's prompt (before 2.0.76 its call) to its last line. */
const SLOW: Partial<Record<RecordedVersion, number>> = {
  "1.0.128": 1168,
  "2.0.76": 1168,
  "2.1.29": 1268,
  "2.1.42": 1363,
  "2.1.330": 1229,
};

test.each(Object.entries(SLOW))(
  "an agent in the background took as long as it worked: %s",
  async (version, ms) => {
    const name = version === "1.0.128" ? "task-parallel" : "task-background";
    const [session] = await sessionsWithAgents(version as RecordedVersion, name);
    if (!session) throw new Error("The scenario has no agents");
    const rows = await everyRow(session.folder, session.id, session.agents);
    const row = rows.find((one) => one.kind === "tool" && /slow|background check/i.test(one.subject));
    expect(row).toMatchObject({ durationMs: ms, agent: { durationMs: ms } });
    expect((row?.span?.toMs ?? 0) - (row?.span?.fromMs ?? 0)).toBeGreaterThanOrEqual(ms);
  },
);

test("a resumed agent's calls have a round of its work each, without the pause between them", async () => {
  const [session] = await sessionsWithAgents("2.0.76", "task-resume");
  if (!session) throw new Error("The scenario has no agents");
  const rows = await everyRow(session.folder, session.id, session.agents);
  const took = rows.flatMap((row) => (row.kind === "tool" && row.agent ? [row.durationMs] : []));
  expect(took).toEqual([60, 188]);
  expect(session.agents.map(({ durationMs }) => durationMs)).toEqual([248]);
});

test("a workflow takes from its first agent's start to its last one's end", async () => {
  const [session] = await sessionsWithAgents("2.1.330", "workflow");
  if (!session) throw new Error("The scenario has no agents");
  const rows = await everyRow(session.folder, session.id, session.agents);
  expect(rows.find((row) => row.kind === "tool" && row.name === "Workflow")?.durationMs).toBe(1749);
});

test("a command in the background takes until a notification reports its end", async () => {
  const [session] = await sessionsWithAgents("2.1.330", "tui-agents");
  if (!session) throw new Error("The scenario has no agents");
  const rows = await everyRow(session.folder, session.id, session.agents);
  const row = rows.find((one) => one.kind === "tool" && one.subject.startsWith("for i in 1 2 3"));
  expect(row?.durationMs).toBe(983);
  const brief = await settled(() => session.folder.sessions.brief(session.id, row?.turn ?? 0, null));
  expect(brief.commands.find(({ command }) => command.startsWith("for i in 1 2 3"))?.durationMs).toBe(983);
});

const LAUNCHED =
  "Async agent launched successfully. (This tool result is internal metadata — never quote or paste any part of it)";

/** An agent that starts one of its own in the background, whose answer comes in a notification. */
function nestedTree(): string {
  const session = uuid(7);
  const at = (second: number) => ({
    sessionId: session,
    timestamp: `2026-01-02T03:00:${String(second).padStart(2, "0")}.000Z`,
  });
  const call = (id: string, description: string) => ({
    content: [
      {
        type: "tool_use",
        id,
        name: "Agent",
        input: { description, prompt: description, subagent_type: "x" },
      },
    ],
  });
  const result = (id: string, content: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content }],
  });
  const outer = { agentId: "outer", isSidechain: true };
  const inner = { agentId: "inner", isSidechain: true };
  const notice = `<task-notification>\n<task-id>inner</task-id>\n<tool-use-id>t2</tool-use-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n<result>The inner answer.</result>\n</task-notification>`;
  const folder = `projects/-home-dev-shop/${session}`;
  return makeTree({
    [`${folder}.jsonl`]: [
      prompt("go", { uuid: "m1", parentUuid: null, ...at(0) }),
      {
        ...answer("x"),
        uuid: "m2",
        parentUuid: "m1",
        ...at(1),
        message: { id: "k1", ...call("t1", "outer") },
      },
      { type: "user", uuid: "m3", parentUuid: "m2", ...at(2), message: result("t1", LAUNCHED) },
    ],
    [`${folder}/subagents/agent-outer.jsonl`]: [
      prompt("outer", { uuid: "o1", parentUuid: null, ...outer, ...at(2) }),
      {
        ...answer("y"),
        uuid: "o2",
        parentUuid: "o1",
        ...outer,
        ...at(3),
        message: { id: "k2", role: "assistant", ...call("t2", "inner") },
      },
      { type: "user", uuid: "o3", parentUuid: "o2", ...outer, ...at(4), message: result("t2", LAUNCHED) },
      answer("I wait.", { uuid: "o4", parentUuid: "o3", ...outer, ...at(5) }),
      prompt(notice, { uuid: "o5", parentUuid: "o4", ...outer, ...at(21) }),
      answer("All done.", { uuid: "o6", parentUuid: "o5", ...outer, ...at(22) }),
    ],
    [`${folder}/subagents/agent-outer.meta.json`]: [{ toolUseId: "t1", description: "outer" }],
    [`${folder}/subagents/agent-inner.jsonl`]: [
      prompt("inner", { uuid: "i1", parentUuid: null, ...inner, ...at(4) }),
      answer("The inner answer.", { uuid: "i2", parentUuid: "i1", ...inner, ...at(20) }),
    ],
    [`${folder}/subagents/agent-inner.meta.json`]: [{ toolUseId: "t2", description: "inner" }],
  });
}

test("an agent's agent in the background returns with its answer, never with the report of its launch", async () => {
  const folder = await openFolder(nestedTree());
  const id = idOf(folder, uuid(7));
  const agents = await agentsOf(folder, id);
  const rows = await everyRow(folder, id, agents);
  const returns = rows.flatMap((row) => (row.kind === "agent-return" ? [row] : []));
  expect(returns.map(({ agentId, text, durationMs }) => `${agentId} ${durationMs} ${text.text}`)).toEqual([
    "inner 16000 The inner answer.",
  ]);
  const inner = rows.find((row) => row.kind === "tool" && row.subject === "inner");
  expect(inner).toMatchObject({ durationMs: 16_000, agent: { state: "done" } });
  expect(JSON.stringify(rows)).not.toContain("internal metadata");
});

/** An agent in the background that has ended, and is resumed there later (`run_in_background` and `resume`, 2.0.76). */
function resumedTree(hasEndedAgain: boolean): string {
  const session = uuid(8);
  const at = (second: number) => ({
    sessionId: session,
    timestamp: `2026-01-02T03:00:${String(second).padStart(2, "0")}.000Z`,
  });
  const call = (id: string, input: object) => ({
    id: `k-${id}`,
    role: "assistant",
    content: [{ type: "tool_use", id, name: "Task", input: { ...input, run_in_background: true } }],
  });
  const launched = (id: string) => ({
    toolUseResult: { status: "async_launched", agentId: "x", description: "look" },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: LAUNCHED }] },
  });
  const notice = (status: string) =>
    `<task-notification>\n<task-id>x</task-id>\n<status>${status}</status>\n<summary>Agent ${status}</summary>\n</task-notification>`;
  const of = { agentId: "x", isSidechain: true };
  const folder = `projects/-home-dev-shop/${session}`;
  return makeTree({
    [`${folder}.jsonl`]: [
      prompt("go", { uuid: "m1", parentUuid: null, ...at(0) }),
      { ...answer("x"), uuid: "m2", parentUuid: "m1", ...at(1), message: call("t1", { prompt: "look" }) },
      { type: "user", uuid: "m3", parentUuid: "m2", ...at(2), ...launched("t1") },
      prompt(notice("completed"), { uuid: "m4", parentUuid: "m3", ...at(5) }),
      {
        ...answer("y"),
        ...{ uuid: "m5", parentUuid: "m4", ...at(6) },
        message: call("t2", { prompt: "look again", resume: "x" }),
      },
      { type: "user", uuid: "m6", parentUuid: "m5", ...at(7), ...launched("t2") },
      ...(hasEndedAgain ? [prompt(notice("failed"), { uuid: "m7", parentUuid: "m6", ...at(9) })] : []),
    ],
    [`${folder}/subagents/agent-x.jsonl`]: [
      prompt("look", { uuid: "x1", parentUuid: null, ...of, ...at(2) }),
      answer("Nothing.", { uuid: "x2", parentUuid: "x1", ...of, ...at(4) }),
      prompt("look again", { uuid: "x3", parentUuid: "x2", ...of, ...at(7) }),
    ],
  });
}

test("the end of an agent that was resumed since says nothing of how it stands", async () => {
  const statesOf = async (tree: string) =>
    (await agentsOf(await openFolder(tree), idOf(await openFolder(tree), uuid(8)))).map(({ state }) => state);
  expect(await statesOf(resumedTree(false))).toEqual(["unknown"]);
  expect(await statesOf(resumedTree(true))).toEqual(["failed"]);
});

/** An agent that has answered, and that a message sets going a minute later (2.1.200 and later). */
function toldAgainTree(): string {
  const session = uuid(9);
  const at = (second: number) => ({
    sessionId: session,
    timestamp: new Date(Date.UTC(2026, 0, 2, 3, 0, second)).toISOString(),
  });
  const call = (id: string, name: string, input: object) => ({
    ...{ id: `k-${id}`, role: "assistant" },
    content: [{ type: "tool_use", id, name, input }],
  });
  const result = (id: string, toolUseResult: object) => ({
    ...{ type: "user", toolUseResult },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "{}" }] },
  });
  const notice = (answered: string) =>
    `<task-notification>\n<task-id>x</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n<result>${answered}</result>\n</task-notification>`;
  const reported = { origin: { kind: "task-notification" } };
  const of = { agentId: "x", isSidechain: true };
  const told = { ...of, isMeta: true, origin: { kind: "coordinator" } };
  const folder = `projects/-home-dev-shop/${session}`;
  return makeTree({
    [`${folder}.jsonl`]: [
      prompt("go", { uuid: "m1", parentUuid: null, ...at(0) }),
      {
        ...answer("x"),
        ...{ uuid: "m2", parentUuid: "m1", ...at(1) },
        message: call("t1", "Agent", { prompt: "look", description: "look" }),
      },
      {
        ...result("t1", { isAsync: true, status: "async_launched", agentId: "x" }),
        ...{ uuid: "m3", parentUuid: "m2", ...at(2) },
      },
      prompt(notice("Nothing."), { uuid: "m4", parentUuid: "m3", ...reported, ...at(5) }),
      {
        ...answer("y"),
        ...{ uuid: "m5", parentUuid: "m4", ...at(64) },
        message: call("t2", "SendMessage", { to: "x", message: "look again" }),
      },
      {
        ...result("t2", { success: true, message: "Resuming agent x", resumedAgentId: "x" }),
        ...{ uuid: "m6", parentUuid: "m5", ...at(64) },
      },
      prompt(notice("A typo."), { uuid: "m7", parentUuid: "m6", ...reported, ...at(70) }),
    ],
    [`${folder}/subagents/agent-x.jsonl`]: [
      prompt("look", { uuid: "x1", parentUuid: null, ...of, ...at(2) }),
      answer("Nothing.", { uuid: "x2", parentUuid: "x1", ...of, ...at(4) }),
      prompt("The coordinator sent a message while you were working:\nlook again", {
        ...{ uuid: "x3", parentUuid: "x2", ...told, ...at(65) },
      }),
      answer("A typo.", { uuid: "x4", parentUuid: "x3", ...of, ...at(69) }),
    ],
    [`${folder}/subagents/agent-x.meta.json`]: [{ toolUseId: "t1", agentType: "Explore" }],
  });
}

test("an agent that a message sets going again is told so in its thread, and the pause is none of its time (2.1.200 and later)", async () => {
  const folder = await openFolder(toldAgainTree());
  const id = idOf(folder, uuid(9));
  const agents = await agentsOf(folder, id);
  expect(agents.map(({ durationMs, state }) => `${state} ${durationMs}`)).toEqual(["done 6000"]);
  const rows = await everyRow(folder, id, agents);
  const calls = rows.flatMap((row) => (row.kind === "tool" ? [`${row.name} ${row.durationMs}`] : []));
  expect(calls).toEqual(["Agent 2000", "SendMessage 4000"]);
  const returns = rows.flatMap((row) =>
    row.kind === "agent-return" ? [`${row.text.text} ${row.durationMs}`] : [],
  );
  expect(returns).toEqual(["Nothing. 2000", "A typo. 4000"]);
  const prompts = rows.flatMap((row) =>
    row.kind === "turn" ? [`${row.source}: ${row.prompt.text.split("\n").at(-1)}`] : [],
  );
  expect(prompts).toEqual(["typed: go", "agent: look", "agent: look again"]);
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
