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
