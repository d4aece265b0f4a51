import { expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { partOf } from "./session-part";

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
