import { MessagePort } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { freeMemory } from "./free-memory";

const { poolSize } = Buffer;

afterEach(() => {
  Buffer.poolSize = poolSize;
  vi.restoreAllMocks();
});

test("memory of a single buffer is freed, and memory that short buffers share stays", () => {
  const own = Buffer.alloc(1 << 20);
  freeMemory(own);
  expect(own).toHaveLength(0);
  // As in Node 26, which adds some bytes to its size.
  Buffer.poolSize = (1 << 16) + 64;
  const short = Array.from({ length: 10 }, () => Buffer.allocUnsafe(20_000));
  expect(new Set(short.map(({ buffer }) => buffer)).size).toBeLessThan(short.length);
  Buffer.poolSize = 1 << 16;
  for (const bytes of short) freeMemory(bytes);
  expect(short.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 20_000));
});

test("memory that can't be freed stays, with its contents", () => {
  // Node 20 passes over it in silence.
  const send = vi.spyOn(MessagePort.prototype, "postMessage").mockImplementation(() => {
    throw new DOMException("Cannot transfer object of unsupported type.", "DataCloneError");
  });
  const bytes = Buffer.alloc(1 << 20, 7);
  freeMemory(bytes);
  expect(send).toHaveBeenCalledOnce();
  expect(bytes.at(-1)).toBe(7);
});
