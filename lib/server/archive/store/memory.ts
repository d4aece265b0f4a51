import { MessageChannel } from "node:worker_threads";

/** Less is not worth it. */
const MIN_FREED_BYTES = 16 * 1024;

const nobody = new MessageChannel().port1;
nobody.close();

/**
 * Gives memory that nobody else uses back at once: to find out that gigabytes of it are not needed any more, a
 * collection looks through the whole heap again and again. What is sent to nobody is gone. What is left to a collection
 * is memory that short buffers share (8 KiB in Node 20, 64 KiB in Node 24, 64 bytes more than `Buffer.poolSize` in
 * Node 26), and memory that can't be sent.
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

/** Memory that is not used just now, to be used again: a gigabyte of it anew has the whole heap looked through often. */
const unused: Buffer[] = [];
let unusedBytes = 0;

/** Memory of at least that length, with anything in it. */
export function takeMemory(atLeast: number): Buffer {
  const size = SIZES.find((one) => one >= atLeast) ?? atLeast;
  const at = unused.findLastIndex(({ length }) => length === size);
  const [found] = at === -1 ? [] : unused.splice(at, 1);
  unusedBytes -= found?.length ?? 0;
  return found ?? Buffer.allocUnsafeSlow(size);
}

/** Takes back what `takeMemory` gave and nobody uses any more. */
export function giveBack(memory: Buffer): void {
  if (unusedBytes + memory.length > MAX_FREE_BYTES) return freeMemory(memory);
  unused.push(memory);
  unusedBytes += memory.length;
}
