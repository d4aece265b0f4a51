import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { buildRequestIndex } from "@/lib/log/request/walk-chain";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { cacheMisses } from "./cache-misses";
import { listRequests } from "./request-list";

/** Why the requests of these lines missed, by the ids of their answers. */
function causesOf(lines: readonly TestLine["json"][]): Record<string, string | null> {
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const requests = listRequests(table, buildGraph(table, LOGS), buildRequestIndex(table), () => null);
  const misses = cacheMisses(
    table,
    requests,
    new PriceTable(),
    () => 0,
    () => undefined,
  );
  const nameOf = new Map(lines.map(({ uuid }) => [table.uuids.find(String(uuid)), String(uuid)]));
  return Object.fromEntries(
    requests.map(({ record }, nth) => [
      nameOf.get(table.records.uuid.at(record)) ?? "",
      misses[nth]?.cause ?? null,
    ]),
  );
}

let second = 0;
const line = (uuid: string, parentUuid: string | null, more: TestLine["json"]): TestLine["json"] => ({
  ...{ uuid, parentUuid, version: "2.1.42" },
  timestamp: new Date(Date.UTC(2026, 0, 1) + ++second * 1000).toISOString(),
  ...more,
});
const asks = (uuid: string, parent: string | null) =>
  line(uuid, parent, { type: "user", message: { role: "user", content: uuid } });
const says = (id: string, parent: string, read: number, write: number) =>
  line(id, parent, {
    type: "assistant",
    message: {
      ...{ id, role: "assistant", model: "claude-opus-4-5", content: [{ type: "text", text: id }] },
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: write,
      },
    },
  });
const clears = (uuid: string, parent: string) =>
  line(uuid, parent, { type: "system", subtype: "microcompact_boundary", content: "Cleared" });

test("results that were cleared on another branch are not why a request after a rewind missed", () => {
  const causes = causesOf([
    asks("u1", null),
    says("a1", "u1", 0, 50_000),
    asks("u2", "a1"),
    says("a2", "u2", 50_000, 9_000),
    clears("c1", "a2"),
    asks("u3", "c1"),
    says("a3", "u3", 20_000, 30_000),
    // Rewound to the first answer.
    asks("u4", "a1"),
    says("a4", "u4", 30_000, 21_000),
  ]);
  expect(causes).toEqual({ a1: null, a2: null, a3: "cleared", a4: "rewind" });
});
