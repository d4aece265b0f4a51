import fc from "fast-check";
import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { atOnce } from "@/lib/format/in-steps";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { buildRequestIndex } from "@/lib/log/request/walk-chain";
import { RecordKind } from "@/lib/log/table/kinds";
import { contextTokens } from "@/lib/log/table/message-tokens";
import { anyLines, LOGS, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { cacheMisses } from "./cache-misses";
import { contextParts } from "./context-parts";
import { listRequests } from "./request-list";

test("whatever the parents are, each answer is one request, and its parts are everything that it sent", () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const index = atOnce(buildRequestIndex(table));
      const requests = atOnce(listRequests(table, graph, index, () => null));
      const answers = new Set<number>();
      for (let record = 0; record < table.records.size; record++)
        if (table.records.kind.at(record) === RecordKind.assistant)
          answers.add(table.records.message.at(record));
      expect(requests.map(({ message }) => message).toSorted((a, b) => a - b)).toEqual(
        [...answers].toSorted((a, b) => a - b),
      );
      const sizes = Array.from({ length: table.blocks.size }, (_, block) => (block % 7) * 10);
      const parts = atOnce(contextParts(table, graph, requests, sizes, () => null));
      for (const [nth, { message }] of requests.entries()) {
        const all = Object.values(parts.of(nth)).reduce((sum, part) => sum + part, 0);
        expect(all).toBe(contextTokens(table, message));
      }
      // These lines count too few tokens for any to be lost.
      const misses = atOnce(
        cacheMisses(
          table,
          requests,
          new PriceTable(),
          () => 0,
          () => undefined,
        ),
      );
      expect(misses).toEqual(requests.map(() => null));
    }),
    sampled(20260302, 300, 20_000),
  );
});
