import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { returnSpareMemory } from "./heap";

test("what lay between garbage moves together, and the room goes back to the system", () => {
  // Every eighth lives on, so that no page of the heap is free by itself.
  const kept: object[] = [];
  let made: object[] | null = Array.from({ length: 1_600_000 }, (_, n) => ({ n, text: `${n}`, at: n / 3 }));
  for (let n = 0; n < made.length; n += 8) kept.push(made[n] as object);
  const held = getHeapStatistics().total_physical_size;
  made = null;
  expect(returnSpareMemory(held / 2)).toBe(true);
  expect(getHeapStatistics().total_physical_size).toBeLessThan(held - (48 << 20));
  expect(kept).toHaveLength(200_000);
  expect(globalThis).not.toHaveProperty("gc");
});

test("where less is held than is worth it, nothing stands still", () => {
  expect(returnSpareMemory(2 * getHeapStatistics().total_physical_size + (1 << 30))).toBe(false);
});
