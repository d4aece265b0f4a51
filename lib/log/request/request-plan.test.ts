import { expect, test } from "vitest";
import { atOnce } from "@/lib/format/in-steps";
import { parseRecord } from "@/lib/log/records/parse-record";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { withPreserved } from "./request-plan";
import { buildRequestIndex } from "./walk-chain";

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
