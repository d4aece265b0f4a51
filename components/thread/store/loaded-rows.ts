import type { Row } from "@/lib/wire/rows";

type Loaded = Iterable<[index: number, row: Row]>;

/** The row above a fork's: it is on every branch that leaves there. */
export function rowAboveFork(loaded: Loaded, key: string | null): { index: number; row: Row } | null {
  if (key === null) return null;
  let before: { index: number; row: Row } | null = null;
  for (const [index, row] of loaded) {
    if (row.key === key) return before?.index === index - 1 ? before : null;
    before = { index, row };
  }
  return null;
}

/** The fork at or below a row, where a view shows more between them than the one before; `null` for none loaded. */
export function forkBelow(itemAt: (index: number) => Row | undefined, index: number): number | null {
  for (let below = index + 1; ; below++) {
    const row = itemAt(below);
    if (!row) return null;
    if (row.kind === "fork") return below;
  }
}

/** Where the row of a key stands among those that are loaded. */
export function indexOfKey(loaded: Loaded, key: string): number | null {
  for (const [index, row] of loaded) if (row.key === key) return index;
  return null;
}

/** Where a turn begins among the rows that are loaded. */
export function indexOfTurn(loaded: Loaded, turn: number): number | null {
  for (const [index, row] of loaded) if (row.kind === "turn" && row.turn === turn) return index;
  return null;
}
