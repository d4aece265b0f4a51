import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { scanSession } from "@/lib/server/scan/scan-session";
import { generateSession } from "@/lib/testing/generate/generate-session";

const RECORDS = 40_000;
/** The budget. The time is the benchmark's to measure: machines differ, bytes don't. */
const BYTES_A_RECORD = 160;
/** A plain object or a number in an array or map, about. */
const BYTES_A_VALUE = 16;

/** The bytes of a value's typed arrays and strings, and a fixed size for each other value. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value === "string") return value.length * 2 + BYTES_A_VALUE;
  if (typeof value !== "object" || value === null) return BYTES_A_VALUE;
  let bytes = BYTES_A_VALUE;
  const inner =
    value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  for (const one of inner) bytes += bytesIn(one);
  return bytes;
}

test("a session of 40,000 records stays within 160 bytes a record", () => {
  const root = mkdtempSync(join(tmpdir(), "backscroll-budget-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const truth = generateSession({
    seed: 5,
    dir: root,
    records: RECORDS,
    textScale: 0.02,
    agents: 0,
    hugeLines: 0,
  });
  const path = join(root, truth.path);
  const key = { key: "m", agentId: null };
  const { table } = scanSession(root, [{ ...key, path }]);
  const graph = buildGraph(table, [{ ...key, meta: null }]);
  expect(table.records.size).toBeGreaterThanOrEqual(RECORDS);
  const bytes = { table: bytesIn(table.toData()), graph: bytesIn(graph) };
  expect((bytes.table + bytes.graph) / table.records.size, JSON.stringify(bytes)).toBeLessThanOrEqual(
    BYTES_A_RECORD,
  );
});
