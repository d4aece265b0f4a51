import type { Row } from "@/lib/wire/rows";

/** The row above a fork's: it is on every branch that leaves there. */
export function forkAnchor(
  loaded: Iterable<[index: number, row: Row]>,
  key: string | null,
): { index: number; row: Row } | null {
  if (key === null) return null;
  let before: { index: number; row: Row } | null = null;
  for (const [index, row] of loaded) {
    if (row.key === key) return before?.index === index - 1 ? before : null;
    before = { index, row };
  }
  return null;
}

/** Where the row of a key stands among those that are loaded. */
export function indexOfKey(loaded: Iterable<[index: number, row: Row]>, key: string): number | null {
  for (const [index, row] of loaded) if (row.key === key) return index;
  return null;
}
