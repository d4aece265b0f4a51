import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { detailOf, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";

const [OLD, NEW] = [uuid(1) as SessionId, uuid(2) as SessionId];
const AGENT = "a00112233445566aa" as AgentId;
const META = { agentType: "Explore", description: "Look around", toolUseId: "t-agent" };

/**
 * A session that was cleared while its agent ran a command (2.1.332): the agent goes on in a log of the new session, whose
 * first line is the command's result, and the new session is told of its end.
 */
function clearedTree({ notified = true, meta = true } = {}): string {
  const own = (sessionId: string) => ({ sessionId, agentId: AGENT, isSidechain: true });
  const call = (id: string, name: string, input: object) => ({
    message: {
      id: `m-${id}`,
      role: "assistant",
      model: "m",
      content: [{ type: "tool_use", id, name, input }],
    },
  });
  const result = (id: string, content: string, more: object) =>
    prompt(`result of ${id}`, {
      ...more,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    });
  const told = `<task-notification>\n<task-id>${AGENT}</task-id>\n<tool-use-id>t-agent</tool-use-id>\n<status>completed</status>\n<summary>Agent "Look around" finished</summary>\n<result>A tiny shop.</result>\n</task-notification>`;
  const asked = { sessionId: OLD, parentUuid: "u-go" };
  const at = (second: number) => ({ timestamp: `2026-01-02T03:05:0${second}.000Z` });
  return makeTree({
    [`projects/-shop/${OLD}.jsonl`]: [
      prompt("go", { sessionId: OLD, parentUuid: null }),
      answer("started", { ...asked, ...call("t-agent", "Agent", { prompt: "look", description: "Look" }) }),
      result("t-agent", "Async agent launched", {
        ...{ sessionId: OLD, parentUuid: "a-started" },
        toolUseResult: { isAsync: true, status: "async_launched", agentId: AGENT },
      }),
    ],
    [`projects/-shop/${OLD}/subagents/agent-${AGENT}.jsonl`]: [
      prompt("look", { ...own(OLD), parentUuid: null }),
      answer("listing", { ...own(OLD), parentUuid: "u-look", ...call("t-ls", "Bash", { command: "ls" }) }),
    ],
    [`projects/-shop/${OLD}/subagents/agent-${AGENT}.meta.json`]: [META],
    [`projects/-shop/${NEW}.jsonl`]: [
      prompt("after the clear", { sessionId: NEW, parentUuid: null, ...at(0) }),
      answer("hello", { sessionId: NEW, parentUuid: "u-after the clear", ...at(1) }),
      ...(notified
        ? [
            prompt(told, {
              ...{ sessionId: NEW, parentUuid: "a-hello", uuid: "u-told", ...at(5) },
              origin: { kind: "task-notification" },
            }),
          ]
        : []),
    ],
    [`projects/-shop/${NEW}/subagents/agent-${AGENT}.jsonl`]: [
      result("t-ls", "hello.py", { ...own(NEW), parentUuid: "a-listing", ...at(3) }),
      answer("A tiny shop.", { ...own(NEW), parentUuid: "u-result of t-ls", ...at(4) }),
    ],
    ...(meta && { [`projects/-shop/${NEW}/subagents/agent-${AGENT}.meta.json`]: [META] }),
  });
}

test("an agent that works while its session is cleared is one of the new session, where it ends", async () => {
  const folder = await openFolder(clearedTree());
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const { agents } = await settled(() => folder.sessions.agents(NEW, { limit: 10, cursor: null }));
  expect(agents.map(({ agentId, description, state }) => [agentId, description, state])).toEqual([
    [AGENT, "Look around", "done"],
  ]);
  expect((await detailOf(folder, NEW)).agentCount).toBe(1);
  const { rows } = await rowsOf(folder, NEW, "tools");
  expect(rows.filter(({ kind }) => kind === "agent-return")).toHaveLength(1);
});

test.each([
  ["its meta file, before anything tells of its end", { notified: false }, "unknown"],
  ["the report of its end, without a meta file", { meta: false }, "done"],
])("it is known by %s", async (_, tree, expected) => {
  const folder = await openFolder(clearedTree(tree));
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const { agents } = await settled(() => folder.sessions.agents(NEW, { limit: 10, cursor: null }));
  expect(agents.map(({ agentId, state }) => [agentId, state])).toEqual([[AGENT, expected]]);
});

test("its two logs lead to each other, and its requests hold what it was sent before the clear", async () => {
  const folder = await openFolder(clearedTree());
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const relationsOf = async (id: SessionId) =>
    (await settled(() => folder.sessions.related(id))).related.map((one) => [one.id, one.relation]);
  expect(await relationsOf(NEW)).toEqual([[OLD, "continues"]]);
  expect(await relationsOf(OLD)).toEqual([[NEW, "continued-in"]]);

  const before = await rowsOf(folder, OLD, "everything", { agent: AGENT });
  const call = before.rows.find(({ kind }) => kind === "tool");
  expect(call).toMatchObject({ state: "no-result", carried: { way: "to", sessionId: NEW } });
  const after = await rowsOf(folder, NEW, "everything", { agent: AGENT });
  const [first] = after.rows.filter(({ carried }) => carried);
  expect(first).toMatchObject({ label: "Result of Bash", carried: { way: "from", sessionId: OLD } });

  const last = after.rows.at(-1)?.recordId as RecordId;
  const { messages } = await settled(() => folder.sessions.messages(NEW, last));
  expect(messages.map(({ role, content }) => `${role} ${JSON.stringify(content)}`)).toEqual([
    'user [{"type":"text","text":"look"}]',
    'assistant [{"type":"tool_use","id":"t-ls","name":"Bash","input":{"command":"ls"}}]',
    'user [{"type":"tool_result","tool_use_id":"t-ls","content":"hello.py"}]',
  ]);
});

test("a copy of a session with its agents, as a clone is, shares its history, and neither continues the other", async () => {
  const at = { timestamp: "2026-01-02T03:05:00.000Z" };
  // The answers stand behind what is read first of a log.
  const long = prompt("x".repeat(200_000), { uuid: "u-long", parentUuid: null, ...at });
  const tree = [OLD, NEW].map((sessionId) => [
    [`projects/-shop/${sessionId}.jsonl`, [{ ...long, uuid: `u-${sessionId}`, sessionId }]],
    [
      `projects/-shop/${sessionId}/subagents/agent-${AGENT}.jsonl`,
      [prompt("look", { sessionId, agentId: AGENT, isSidechain: true, uuid: `u-look-${sessionId}` })],
    ],
  ]);
  const folder = await openFolder(makeTree(Object.fromEntries(tree.flat())));
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const relationsOf = async (id: SessionId) =>
    (await settled(() => folder.sessions.related(id))).related.map((one) => [one.id, one.relation]);
  expect(await relationsOf(NEW)).toEqual([[OLD, "shares-history"]]);
  expect(await relationsOf(OLD)).toEqual([[NEW, "shares-history"]]);
});

test("a part of a session that was written out with its agents shares its history, though it begins later", async () => {
  const at = (minute: number) => ({ timestamp: `2026-01-02T03:0${minute}:00.000Z` });
  const tree = [OLD, NEW].map((sessionId) => {
    const own = (name: string) => `${name}-${sessionId}`;
    const turn = (n: number) => [
      prompt(`prompt ${n}`, {
        sessionId,
        uuid: own(`u${n}`),
        parentUuid: n === 1 ? null : own(`a${n - 1}`),
        ...at(n),
      }),
      answer(`answer ${n}`, {
        ...{ sessionId, uuid: own(`a${n}`), parentUuid: own(`u${n}`), ...at(n) },
        message: { id: `m${n}`, role: "assistant", model: "m", content: [{ type: "text", text: "done" }] },
      }),
    ];
    const turns = sessionId === OLD ? [1, 2, 3] : [2, 3];
    const agent = { sessionId, agentId: AGENT, isSidechain: true, uuid: own("look") };
    return [
      [`projects/-shop/${sessionId}.jsonl`, turns.flatMap(turn)],
      [`projects/-shop/${sessionId}/subagents/agent-${AGENT}.jsonl`, [prompt("look", agent)]],
    ];
  });
  const folder = await openFolder(makeTree(Object.fromEntries(tree.flat())));
  for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
  const relationsOf = async (id: SessionId) =>
    (await settled(() => folder.sessions.related(id))).related.map((one) => [
      one.relation,
      one.sharedRecords,
    ]);
  // Its prompts and answers.
  expect(await relationsOf(NEW)).toEqual([["shares-history", 4]]);
  expect(await relationsOf(OLD)).toEqual([["shares-history", 4]]);
});
