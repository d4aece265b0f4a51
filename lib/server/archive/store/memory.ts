import { MessageChannel } from "node:worker_threads";

/** Less is not worth it. */
const MIN_FREED_BYTES = 16 * 1024;

const nobody = new MessageChannel().port1;
nobody.close();

/**
 * Frees memory that nobody else uses at once: otherwise the garbage collector searches the whole heap again and again
 * before it frees gigabytes of it. Transferring a buffer to nobody frees it. Two kinds are left to the collector:
 * memory that short buffers share (8 KiB in Node 20, 64 KiB in Node 24, 64 bytes more than `Buffer.poolSize` in Node
 * 26), and memory that can't be transferred.
 */
export function freeMemory({ buffer }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < MIN_FREED_BYTES) return;
  if (buffer.byteLength <= Buffer.from(" ").buffer.byteLength) return;
  try {
    nobody.postMessage(null, [buffer]);
  } catch (cause) {
    if (!(cause instanceof DOMException && cause.name === "DataCloneError")) throw cause;
  }
}

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
  return found ?? Buffer.allocUnsafeSlow(size);
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
