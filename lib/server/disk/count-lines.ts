import { openConfined } from "./confined-file";
import { readRange } from "./read-range";

const CHUNK_BYTES = 256 * 1024;

/** Lines of a log, an unfinished last one included. */
export async function countLines(root: string, path: string): Promise<number> {
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
