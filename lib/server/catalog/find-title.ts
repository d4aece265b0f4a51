import { asString } from "@/lib/records/json";
import { LineSplitter, type RawLine } from "@/lib/records/line-splitter";
import { parseRecord } from "@/lib/records/parse-record";
import { openConfined } from "./confined-file";
import { readRange } from "./read-range";

const CHUNK_BYTES = 1024 * 1024;
/** A title's line is a few hundred bytes. */
const LONGEST_LINE = 4096;
const MARK = Buffer.from('-title"');

export type FoundTitle = { title: string; titleSource: "custom" | "ai" };

/**
 * The last title given in a log, wherever it stands: 2.0.76–2.1.42 write it once, in mid-file. A
 * person's own wins over a generated one. Null where there is none. Throws what `openConfined` throws.
 */
export async function findTitle(root: string, path: string): Promise<FoundTitle | null> {
  let custom: string | null = null;
  let generated: string | null = null;
  const take = (line: RawLine) => {
    if (line.length > LONGEST_LINE || !holdsMark(line.bytes)) return;
    const record = parseRecord(line);
    if (record.kind === "unreadable") return;
    if (record.type === "custom-title") custom = asString(record.json.customTitle) ?? custom;
    if (record.type === "ai-title") generated = asString(record.json.aiTitle) ?? generated;
  };
  const handle = await openConfined(root, path);
  try {
    const splitter = new LineSplitter();
    for (let at = 0; ; ) {
      const chunk = await readRange(handle, at, at + CHUNK_BYTES);
      if (chunk.length === 0) break;
      splitter.push(chunk, take);
      at += chunk.length;
    }
  } finally {
    await handle.close();
  }
  if (custom !== null) return { title: custom, titleSource: "custom" };
  return generated === null ? null : { title: generated, titleSource: "ai" };
}

function holdsMark({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(MARK);
}
