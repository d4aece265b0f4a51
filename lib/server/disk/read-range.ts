import { openConfined } from "./confined-file";
import type { OpenFile, OpenFileHandle } from "./open-file";

/** Bytes `from`–`to` of an open file; fewer when it ends earlier, for example because it shrank. */
export async function readRange(handle: OpenFileHandle, from: number, to: number): Promise<Uint8Array> {
  const wanted = Math.max(0, to - from);
  const buffer = Buffer.allocUnsafe(wanted);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await handle.read(buffer, filled, wanted - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * `readRange` for small reads, or for a thread that may block.
 * @param into the buffer to use if it is large enough; otherwise one is allocated
 */
export function readRangeSync(
  file: OpenFile,
  from: number,
  to: number,
  into: Buffer | null = null,
): Uint8Array {
  const wanted = Math.max(0, to - from);
  const buffer = into && into.length >= wanted ? into : Buffer.allocUnsafe(wanted);
  let filled = 0;
  while (filled < wanted) {
    const read = file.read(buffer, filled, wanted - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

const PIECE_BYTES = 1 << 20;

/** The bytes of a file, a piece at a time, up to `size` where it is given. Throws what `openConfined` throws. */
export async function* fileBytes(
  root: string,
  path: string,
  size = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const handle = await openConfined(root, path);
  try {
    for (let at = 0; at < size; ) {
      const bytes = await readRange(handle, at, Math.min(size, at + PIECE_BYTES));
      if (bytes.length === 0) return;
      yield bytes;
      at += bytes.length;
    }
  } finally {
    await handle.close();
  }
}

const CHUNK_BYTES = 256 * 1024;

/** Number of lines of a log, including an incomplete last one. */
export async function countFileLines(root: string, path: string): Promise<number> {
  const handle = await openConfined(root, path);
  try {
    let lines = 0;
    let last = 0x0a;
    for (let at = 0; ; ) {
      const chunk = await readRange(handle, at, at + CHUNK_BYTES);
      if (chunk.length === 0) return last === 0x0a ? lines : lines + 1;
      for (let i = chunk.indexOf(0x0a); i !== -1; i = chunk.indexOf(0x0a, i + 1)) lines += 1;
      last = chunk[chunk.length - 1] ?? 0x0a;
      at += chunk.length;
    }
  } finally {
    await handle.close();
  }
}
