import type { FileHandle } from "node:fs/promises";

/** Bytes `from`–`to` of an open file; fewer when it ends before, also when it shrank meanwhile. */
export async function readRange(handle: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
