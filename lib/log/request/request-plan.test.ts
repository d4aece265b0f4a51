import { expect, test } from "vitest";
import { atOnce } from "@/lib/format/in-steps";
import { parseRecord } from "@/lib/log/records/parse-record";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { withPreserved } from "./request-plan";
import { buildRequestIndex, walkChain } from "./walk-chain";

/** A compaction that preserved these lines, and what was said since. */
function compactedAfter(count: number) {
  const uuids = Array.from({ length: count }, (_, n) => `kept-${n}`);
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "boundary",
    compactMetadata: { preservedMessages: { anchorUuid: "summary", uuids } },
  };
  const said = (uuid: string) => ({ type: "user", uuid, message: { role: "user", content: uuid } });
  const since = Array.from({ length: count }, (_, n) => said(`since-${n}`));
  const lines = [...uuids.map(said), boundary, said("summary"), ...since];
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const bytes = new TextEncoder().encode(JSON.stringify(boundary));
  const record = parseRecord({ bytes, offset: 0, length: bytes.length, line: 1 });
  return { table, record, chain: Array.from({ length: count + 2 }, (_, n) => count + n) };
}

test("preserved messages follow the summary of a compaction, and are found in linear time", () => {
  const count = 400;
  const { table, record, chain } = compactedAfter(count);
  let looks = 0;
  const counting = new Proxy(chain, {
    get: (target, name) => {
      looks += 1;
      return Reflect.get(target, name);
    },
  });
  const sent = withPreserved(table, atOnce(buildRequestIndex(table)), counting, record);
  const kept = Array.from({ length: count }, (_, n) => n);
  expect(sent).toEqual([...chain.slice(0, 2), ...kept, ...chain.slice(2)]);
  expect(looks).toBeLessThan(20 * count);
});

test("an agent's line whose parent is in no file, as what a hook said is in none, was sent what stands before it (2.0.76)", () => {
  const line = (uuid: string, parentUuid: string | null, type = "user") => ({
    ...{ type, uuid, parentUuid, isSidechain: true, agentId: "a1" },
    message: { id: uuid, role: type, content: uuid },
  });
  const lines = [
    line("prompt", null),
    line("first", "hook-1", "assistant"),
    line("feedback", "hook-2"),
    line("second", "feedback", "assistant"),
  ];
  const chainIn = (file: number) => {
    const table = tableOf(lines.map((json): TestLine => ({ file, json })));
    return walkChain(table, atOnce(buildRequestIndex(table)), 3);
  };
  expect(chainIn(1)).toEqual([0, 1, 2]);
  // Above a line of a session's own log may be another session.
  expect(chainIn(0)).toEqual([2]);
});
