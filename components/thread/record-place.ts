import type { RecordId } from "@/lib/wire/ids";

/** Where a record's line begins: its file by the session's key for it (`m` is the main log), and a byte offset. */
export type RecordPlace = { file: string; offset: number };

/**
 * Where a record stands, for order within a log: an id is `<file>~<byte offset in base 36>`. What is none has
 * the offset 0.
 */
export function recordPlace(id: RecordId): RecordPlace {
  const cut = id.lastIndexOf("~");
  return { file: id.slice(0, cut), offset: Number.parseInt(id.slice(cut + 1), 36) || 0 };
}
