import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { readPrices } from "./prices";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-prices-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  const path = join(folder, "prices.json");
  writeFileSync(path, text);
  return readPrices(path);
}

/** What a thousand tokens of input cost on a day. */
const inputOn = (table: PriceTable, model: string, day: string) =>
  table.microUsd({
    model,
    atMs: Date.parse(day),
    tokens: { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    webSearches: 0,
    fast: false,
    usOnly: false,
  });

test("prices of one’s own hold from their day on, in whatever order they are given", () => {
  const { table, warning } = read(
    JSON.stringify({
      asOf: "2026-12-01",
      models: {
        "my/opus": [
          { from: "2026-11-01", input: 2, output: 5 },
          { input: 1, output: 5 },
        ],
      },
    }),
  );
  expect([warning, table.asOf]).toEqual([null, "2026-12-01"]);
  expect([inputOn(table, "my/opus", "2026-10-31"), inputOn(table, "my/opus", "2026-11-01")]).toEqual([
    1_000, 2_000,
  ]);
  expect(inputOn(table, "claude-opus-5-5", "2026-11-01")).toBe(4_000);
});

test.each([
  ["no file", null, "no such file"],
  ["no JSON", "{", "JSON"],
  ["another form", '{"models": {}}', "asOf"],
  ["no day", '{"asOf": "soon", "models": {}}', "asOf"],
  ["no price", '{"asOf": "2026-12-01", "models": {"m": []}}', "models.m"],
  ["half a price", '{"asOf": "2026-12-01", "models": {"m": [{"input": 1}]}}', "models.m.0.output"],
  [
    "a price below nothing",
    '{"asOf": "2026-12-01", "models": {"m": [{"input": -1, "output": 1}]}}',
    "models.m.0.input",
  ],
  [
    "a word that means nothing",
    '{"asOf": "2026-12-01", "models": {"m": [{"input": 1, "output": 1, "inputs": 1}]}}',
    "models.m.0",
  ],
])("with %s the built-in prices hold, and the reader is told where it is wrong", (_what, text, where) => {
  const { table, warning } = text === null ? readPrices(join(folder, "none.json")) : read(text);
  expect(table.asOf).toBe(new PriceTable().asOf);
  expect(warning?.code).toBe("prices-unusable");
  expect(warning?.message).toContain(where);
});
