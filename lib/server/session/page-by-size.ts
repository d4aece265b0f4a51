import { badCursor } from "@/lib/server/runtime/viewer-error";

/** With what stands around them an answer stays below a megabyte. */
const MAX_PAGE_BYTES = 800_000;

/**
 * As many of a list as an answer of a megabyte holds as JSON, one at the least: from the cursor on, and no more than the
 * limit. The cursor is the place of the next one. Throws ViewerError `bad-cursor`.
 */
export function pageBySize<From, Item>(
  list: readonly From[],
  { limit, cursor }: { limit: number | null; cursor: string | null },
  toItem: (one: From) => Item,
): { items: Item[]; nextCursor: string | null } {
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw badCursor();
  const end = Math.min(list.length, from + (limit ?? list.length));
  const items: Item[] = [];
  let bytes = 0;
  for (let at = from; at < end; at++) {
    const item = toItem(list[at] as From);
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > MAX_PAGE_BYTES && items.length > 0) break;
    items.push(item);
  }
  const next = from + items.length;
  return { items, nextCursor: next < list.length ? String(next) : null };
}
