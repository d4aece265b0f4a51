import { afterEach, expect, test } from "vitest";
import { freeMemory } from "./memory";

const { poolSize } = Buffer;

afterEach(() => {
  Buffer.poolSize = poolSize;
});

test("memory of one's own is given back, and what short buffers share stays with them", () => {
  const own = Buffer.alloc(1 << 20);
  freeMemory(own);
  expect(own).toHaveLength(0);
  // As in Node 24.
  Buffer.poolSize = 1 << 16;
  const short = Array.from({ length: 10 }, () => Buffer.allocUnsafe(20_000));
  expect(new Set(short.map(({ buffer }) => buffer)).size).toBeLessThan(short.length);
  for (const bytes of short) freeMemory(bytes);
  expect(short.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 20_000));
});
