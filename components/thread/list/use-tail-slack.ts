import { useState } from "react";

/** A run that takes in more rows at once is no run that grows. */
const MOST_ROWS = 12;

/**
 * Empty space below the last row, in pixels: as much as the list has lost to a run of calls that grew. For
 * a reader at the end of a session that is written what is read stays in place; the next rows take the space.
 */
export function useTailSlack(total: number, rowPx: number, follows: boolean): number {
  const [tail, setTail] = useState({ total, rows: 0 });
  if (tail.total !== total) {
    const lost = tail.total - total;
    const rows = lost > MOST_ROWS ? 0 : Math.min(MOST_ROWS, Math.max(0, tail.rows + lost));
    setTail({ total, rows });
  }
  return follows ? tail.rows * rowPx : 0;
}
