import { expect, test } from "vitest";
import { countSession } from "@/lib/log/graph/session-counts";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { READINGS } from "@/lib/testing/readings";
import { openFolder, rowsOf as rowsAsked, settled } from "@/lib/testing/transcript";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { agentEntries, fileEntries } from "../answers/agent-entries";
import { rowsOf } from "../answers/session-rows";

const ID = uuid(1) as SessionId;
const AGENT = "a0123456789abcdef" as AgentId;
const PATH = "/home/dev/shop/a.ts";

const at = (second: number) => ({ timestamp: `2026-01-02T03:04:${String(second).padStart(2, "0")}.000Z` });

function call(id: string, name: string, input: object, more: object): Record<string, unknown> {
  const message = {
    id: `msg ${id}`,
    role: "assistant",
    model: "claude-x",
    content: [{ type: "tool_use", id, name, input }],
  };
  return { type: "assistant", uuid: `use ${id}`, message, ...more };
}

function result(id: string, more: object, isError = false): Record<string, unknown> {
  const content = [{ type: "tool_result", tool_use_id: id, content: `what ${id} gave`, is_error: isError }];
  return {
    type: "user",
    uuid: `result ${id}`,
    parentUuid: `use ${id}`,
    message: { role: "user", content },
    ...more,
  };
}

const PATCH = { filePath: PATH, structuredPatch: [{ lines: ["-a", "+b", "+c"] }] };

/** What the main log has before it starts an agent, which the agent's log repeats line by line. */
const shared = [
  prompt("go", at(1)),
  call(
    "t1",
    "Edit",
    { file_path: PATH, old_string: "a", new_string: "b\nc" },
    { parentUuid: "u-go", ...at(2) },
  ),
  result("t1", { toolUseResult: PATCH, ...at(3) }),
  call("t2", "Bash", { command: "npm test" }, { parentUuid: "result t1", ...at(4) }),
  result("t2", at(5), true),
];
const starts = [
  call("t3", "Agent", { prompt: "look", description: "look" }, { parentUuid: "result t2", ...at(6) }),
  result("t3", { toolUseResult: { agentId: AGENT, status: "completed" }, ...at(20) }),
];
const agents = [
  ...shared.map((line) => ({ ...line, isSidechain: true, agentId: AGENT })),
  { ...starts[0], isSidechain: true, agentId: AGENT },
  call("t4", "Grep", { pattern: "x" }, { parentUuid: "use t3", isSidechain: true, agentId: AGENT, ...at(7) }),
  result("t4", { isSidechain: true, agentId: AGENT, ...at(8) }),
];

const tree = (ofAgent: readonly Record<string, unknown>[] = agents) =>
  makeTree({
    [`projects/-home-dev-shop/${ID}.jsonl`]: [...shared, ...starts],
    [`projects/-home-dev-shop/${ID}/subagents/agent-${AGENT}.jsonl`]: [...ofAgent],
    [`projects/-home-dev-shop/${ID}/subagents/agent-${AGENT}.meta.json`]: [{ toolUseId: "t3" }],
  });

const callsIn = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.kind === "tool" ? [`${row.toolUseId} ${row.name} ${row.state}`] : []));

const MAIN = ["t1 Edit ok", "t2 Bash error", "t3 Agent ok"];
const AGENTS = ["t1 Edit ok", "t2 Bash error", "t3 Agent no-result", "t4 Grep ok"];

test.each(Object.entries(READINGS))(
  "a call that an agent's log repeats has its row in either thread, and counts once: %s",
  async (_, open) => {
    const { catalog } = await openFolder(tree());
    const session = await open(catalog.sessionFiles(ID));
    const query = {
      branch: null,
      detail: "tools" as const,
      fold: [],
      from: 0,
      count: 100,
      around: null,
    };
    const rows = async (agent: AgentId | null) => callsIn((await rowsOf(session, { ...query, agent })).rows);
    expect([await rows(null), await rows(AGENT)]).toEqual([MAIN, AGENTS]);
    expect(countSession(session.table, session.graph)).toMatchObject({
      ...{ toolCalls: 4, toolErrors: 1, agents: 1, files: 1 },
      toolCallsByName: { Edit: 1, Bash: 1, Agent: 1, Grep: 1 },
    });
    expect(fileEntries(session)).toMatchObject([{ path: PATH, added: 2, removed: 1, calls: 1 }]);
    expect(agentEntries(session)).toMatchObject([{ agentId: AGENT, parentToolUseId: "t3", toolCalls: 4 }]);
    expect(session.graph.threads[1]?.resumes).toEqual([]);
  },
);

test("it counts in the main log also where the agent's was read first", async () => {
  const early = { timestamp: "2026-01-01T00:00:00.000Z" };
  const { catalog } = await openFolder(tree(agents.map((line) => ({ ...line, ...early }))));
  const files = catalog.sessionFiles(ID);
  const sessions = await Promise.all(Object.values(READINGS).map((open) => open(files)));
  for (const { table, graph } of sessions) {
    const call = graph.threads[1]?.call ?? -1;
    const use = table.calls.use.at(call);
    expect([table.isCopy(call), table.records.file.at(table.blocks.record.at(use))]).toEqual([false, 0]);
    expect(countSession(table, graph)).toMatchObject({ toolCalls: 4, toolErrors: 1 });
  }
});

test("a hit in the repeated line of an agent's call leads to its row there", async () => {
  const root = tree();
  const { catalog, search } = await searchedLibrary(root);
  const asked = { q: "what t2 gave", project: null, session: ID, limit: 10, cursor: null };
  const { hits } = await search.page(asked);
  expect(hits.map(({ agentId }) => agentId)).toEqual(expect.arrayContaining([null, AGENT]));
  const folder = { ...(await openFolder(root)), catalog };
  const hit = hits.find(({ agentId }) => agentId === AGENT);
  const { rows } = await rowsAsked(folder, ID, "tools", { agent: AGENT });
  const around = await settled(() =>
    folder.sessions.rows(ID, {
      ...{ branch: null, agent: AGENT, detail: "tools", fold: [], from: 0, count: 1 },
      around: hit?.recordId ?? null,
    }),
  );
  expect(callsIn(around.rows)).toEqual(["t2 Bash error"]);
  expect(rows).toContainEqual(around.rows[0]);
});
