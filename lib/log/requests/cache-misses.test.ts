import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { atOnce } from "@/lib/format/in-steps";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { buildRequestIndex } from "@/lib/log/request/walk-chain";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { cacheMisses } from "./cache-misses";
import { listRequests } from "./request-list";

type Lines = readonly TestLine["json"][];

/** The requests of these lines in their table, and which of them missed the cache. */
function listed(lines: Lines) {
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const index = atOnce(buildRequestIndex(table));
  const requests = atOnce(listRequests(table, buildGraph(table, LOGS), index, () => null));
  const misses = atOnce(
    cacheMisses(
      table,
      requests,
      new PriceTable(),
      () => 0,
      () => undefined,
    ),
  );
  return { table, requests, misses };
}

const missesOf = (lines: Lines) => listed(lines).misses;

/** Why the requests of these lines missed, by the ids of their answers. */
function causesOf(lines: Lines): Record<string, string | null> {
  const { table, requests, misses } = listed(lines);
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
/** An answer that was made in passes, each of which read and wrote this: 2.1.330 counts their sum. */
const saysIn = (id: string, parent: string, ...passes: (readonly [read: number, write: number])[]) => {
  const usageOf = (parts: readonly (readonly [read: number, write: number])[]) => ({
    input_tokens: parts.length,
    output_tokens: parts.length,
    cache_read_input_tokens: parts.reduce((sum, [read]) => sum + read, 0),
    cache_creation_input_tokens: parts.reduce((sum, [, write]) => sum + write, 0),
  });
  const iterations = passes.map((pass) => ({ type: "message", ...usageOf([pass]) }));
  const content = [{ type: "text", text: id }];
  const usage = { ...usageOf(passes), iterations };
  const message = { id, role: "assistant", model: "claude-opus-4-5", content, usage };
  return line(id, parent, { type: "assistant", message });
};
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

test("a request of several passes leaves what the last one had, and finds what the first one read", () => {
  const lines = [
    asks("u1", null),
    says("a1", "u1", 0, 50_000),
    asks("u2", "a1"),
    saysIn("a2", "u2", [50_000, 1_000], [51_000, 500]),
    asks("u3", "a2"),
    // All that there was, though less than both passes before read together.
    says("a3", "u3", 51_500, 5_000),
    asks("u4", "a3"),
    // The first pass found nothing, the second what that one had written.
    saysIn("a4", "u4", [0, 57_000], [57_000, 500]),
  ];
  expect(missesOf(lines).map((miss) => miss && [miss.lostTokens, miss.microUsd])).toEqual([
    null,
    null,
    null,
    // Written at 6.25 instead of read at 0.50.
    [56_500, 324_875],
  ]);
});
