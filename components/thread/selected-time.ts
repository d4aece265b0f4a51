import { createContext, useContext } from "react";
import type { TimeRange } from "@/lib/client/address/session-url";
import type { Row } from "@/lib/wire/rows";

/** The part of the time that the reader has selected; `null` where none is. */
export const SelectedTimeContext = createContext<TimeRange | null>(null);

/** Whether a row went on in the part of the time that is selected around it. */
export function useIsInSelectedTime(row: Row | undefined): boolean {
  const range = useContext(SelectedTimeContext);
  return range !== null && row !== undefined && isRowInTime(row, range);
}

/** Whether a row went on in a range, from its own time until its end where it has one. A row without a time did not. */
export function isRowInTime(
  { atMs, span }: Pick<Row, "atMs" | "span">,
  { fromMs, toMs }: TimeRange,
): boolean {
  if (atMs === null) return false;
  const endMs = atMs + (span ? span.toMs - span.fromMs : 0);
  return atMs <= toMs && endMs >= fromMs;
}
