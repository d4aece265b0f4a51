import { openConfined } from "@/lib/server/disk/confined-file";

const CHUNK_BYTES = 1 << 20;

/** True if a file's bytes hold this ASCII text. Reads until it is found; the file is never held as a whole. */
export async function holdsText(root: string, path: string, text: string): Promise<boolean> {
  const needle = Buffer.from(text, "latin1");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES + needle.length);
  const handle = await openConfined(root, path);
  try {
    let kept = 0;
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, kept, CHUNK_BYTES, at);
      if (bytesRead === 0) return false;
      const filled = buffer.subarray(0, kept + bytesRead);
      if (filled.includes(needle)) return true;
      at += bytesRead;
      // The text may stand across the edge of two chunks.
      kept = Math.min(needle.length - 1, filled.length);
      filled.copyWithin(0, filled.length - kept);
    }
  } finally {
    await handle.close();
  }
}
