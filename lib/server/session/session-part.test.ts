import { expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { gathered, openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { nextRequestParts } from "./request/rebuild-request";
import { messagesOfPart, partOf } from "./session-part";

const boundary = (id: string, parent: string) => ({
  type: "system",
  subtype: "compact_boundary",
  uuid: id,
  parentUuid: null,
  logicalParentUuid: parent,
  timestamp: "2026-01-02T03:05:00.000Z",
  compactMetadata: { trigger: "manual", preTokens: 10 },
});

it("includes a compaction with its own summary, and not with that of a later one", async () => {
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      prompt("go", { parentUuid: null }),
      answer("one", { parentUuid: "u-go" }),
      // Ended before its summary was written.
      boundary("c1", "a-one"),
      boundary("c2", "c1"),
      prompt("what was done", { uuid: "s2", parentUuid: "c2", isCompactSummary: true }),
      answer("two", { parentUuid: "s2" }),
    ],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const id = (of: string) => session.recordId(session.findUuid(of));
  const taken = (of: string) =>
    partOf(session, { branch: null, turns: null, records: [id(of)] }).records ?? new Set();
  expect([...taken("c1")]).toEqual([id("c1")]);
  expect([...taken("c2")]).toEqual([id("c2"), id("s2")]);
});

it("includes the summary with a compaction whose line was written twice", async () => {
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      prompt("go", { parentUuid: null }),
      answer("one", { parentUuid: "u-go" }),
      boundary("c1", "a-one"),
      boundary("c1", "a-one"),
      prompt("what was done", { uuid: "s1", parentUuid: "c1", isCompactSummary: true }),
      answer("two", { parentUuid: "s1" }),
    ],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const { records } = partOf(session, {
    branch: null,
    turns: null,
    records: [session.recordId(2)],
  });
  expect([...(records ?? [])]).toEqual([session.recordId(2), session.recordId(4)]);
});

/** 2.0.42–2.1.42 write what was typed while the model worked in its queue alone. */
const queued = (operation: string, content?: string) => ({
  type: "queue-operation",
  operation,
  content,
  timestamp: "2026-01-02T03:04:06.000Z",
});

it("sends a call with its result, or neither, where a prompt was typed between them", async () => {
  const use = { type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } };
  const result = { type: "tool_result", tool_use_id: "t1", content: "made" };
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      prompt("go", { parentUuid: null }),
      answer("", { uuid: "c", parentUuid: "u-go", message: { id: "m", role: "assistant", content: [use] } }),
      queued("enqueue", "faster"),
      queued("remove"),
      prompt("", { uuid: "r", parentUuid: "c", message: { role: "user", content: [result] } }),
      answer("done", { parentUuid: "r" }),
    ],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const sent = async (from: number, to: number) => {
    const query = { branch: null, turns: { from, to }, records: null };
    const messages = await gathered(messagesOfPart(session, query, async () => null));
    return messages.map(({ role, content }) => {
      const blocks = content as { type: string; text?: string }[];
      return [role, ...blocks.map(({ type, text }) => text ?? type)].join(" ");
    });
  };
  expect(await sent(1, 2)).toEqual(["user go", "assistant tool_use", "user tool_result", "assistant done"]);
  expect(await sent(1, 1)).toEqual(["user go"]);
  expect(await sent(2, 2)).toEqual(["assistant done"]);
});

it("reads a long conversation a few megabytes at a time", async () => {
  const long = "x".repeat(1 << 20);
  const lines = Array.from({ length: 8 }, (_, at) => [
    prompt(`${at} ${long}`, { uuid: uuid(2 * at + 10), parentUuid: at === 0 ? null : uuid(2 * at + 9) }),
    answer(`seen ${at}`, { uuid: uuid(2 * at + 11), parentUuid: uuid(2 * at + 10) }),
  ]).flat();
  const { sessions } = await openFolder(makeTree({ [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: lines }));
  const session = await sessions.latest(uuid(1) as SessionId);
  const groups = await gathered(nextRequestParts(session, session.findUuid(uuid(25))));
  expect(groups.flat()).toHaveLength(16);
  for (const group of groups) expect(JSON.stringify(group).length).toBeLessThan(3 << 20);
  const messages = await gathered(sessions.conversation(uuid(1) as SessionId));
  expect(messages.map(({ role }) => role)).toEqual(
    Array.from({ length: 8 }, () => ["user", "assistant"]).flat(),
  );
});
