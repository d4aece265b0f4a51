import type { Row, RowsResponse } from "@/lib/wire/rows";

/** Paper has an end, and so has what a page can lay out at once. */
export const MOST_PRINTED_ROWS = 2_000;
const WINDOW_ROWS = 200;

/** Rows for paper: all of a thread, or as many as are printed at once from `from` on. */
export type PrintedRows = { rows: Row[]; from: number; total: number };

/**
 * Loads the rows of a thread that are to be printed: all where they are few enough, else those from the
 * reader's place on. `onProgress` hears how many are there.
 */
export async function loadPrintedRows(
  load: (from: number, count: number) => Promise<Pick<RowsResponse, "rows" | "total">>,
  place: number,
  onProgress: (done: number, of: number) => void,
): Promise<PrintedRows> {
  let { rows, total } = await load(0, WINDOW_ROWS);
  const from = total <= MOST_PRINTED_ROWS ? 0 : Math.min(place, total - MOST_PRINTED_ROWS);
  const end = Math.min(total, from + MOST_PRINTED_ROWS);
  if (from > 0) rows = [];
  const printed = rows.slice(0, end - from);
  while (from + printed.length < end) {
    onProgress(printed.length, end - from);
    const next = await load(from + printed.length, Math.min(WINDOW_ROWS, end - from - printed.length));
    if (next.rows.length === 0) break;
    total = next.total;
    printed.push(...next.rows);
  }
  return { rows: printed, from, total };
}
