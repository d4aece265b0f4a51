import { freeMemory } from "@/lib/server/runtime/free-memory";

/** Most chunks end within the first line behind a MiB. */
export const BLOCK_BYTES = 1024 * 1024 + 64 * 1024;

const SIZES = [64 * 1024, 256 * 1024, BLOCK_BYTES, 4 * 1024 * 1024];
const MAX_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Memory that is not used at the moment, to be reused: allocating a gigabyte of it again makes the collector search the
 * whole heap often.
 */
const unused: Buffer[] = [];
let unusedBytes = 0;

/** Memory of at least this length, with arbitrary contents. */
export function takeMemory(atLeast: number): Buffer {
  const size = SIZES.find((one) => one >= atLeast) ?? atLeast;
  const at = unused.findLastIndex(({ length }) => length === size);
  const [found] = at === -1 ? [] : unused.splice(at, 1);
  unusedBytes -= found?.length ?? 0;
  return found ?? ownMemory(size);
}

/** An argument that the types of ES2023 lack, and Node 20 has. */
const GrowingBuffer = ArrayBuffer as new (length: number, options: { maxByteLength: number }) => ArrayBuffer;

/**
 * Memory that V8 asks the system for, as it does where a buffer may grow: when it is freed, the system has it back at
 * once. Any other is the allocator's, which on Linux keeps much of what each thread has freed.
 */
function ownMemory(size: number): Buffer {
  return Buffer.from(new GrowingBuffer(size, { maxByteLength: size }));
}

/** Takes back memory of `takeMemory` that nobody uses any more. */
export function giveBack(memory: Buffer): void {
  if (unusedBytes + memory.length > MAX_FREE_BYTES) return freeMemory(memory);
  unused.push(memory);
  unusedBytes += memory.length;
}

/** Frees all that was taken back, where little more of it will be needed. */
export function freeUnused(): void {
  for (const memory of unused.splice(0)) freeMemory(memory);
  unusedBytes = 0;
}
