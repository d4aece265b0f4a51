import type { Row } from "@/lib/wire/rows";
import type { RowList } from "./use-row-list";

/** Rows that are one line, of the height that `--row` says, until they are opened. */
const ONE_LINE: ReadonlySet<Row["kind"]> = new Set<Row["kind"]>([
  "tool",
  "run",
  "thinking",
  "event",
  "context",
  "bookkeeping",
  "unknown",
  "agent-return",
]);

/** A line that is closed is as high as the list guesses, exactly: measuring each would cost more than drawing it. */
export function isClosedLine(row: Row, open: ReadonlySet<string>): boolean {
  return ONE_LINE.has(row.kind) && !open.has(row.key);
}

/**
 * A row's height to the fraction: rows stand in a flow, where what is rounded would add up. One that was
 * measured before is first taken as it was, so that the page need not be laid out for it.
 */
export function measureRow(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  list: RowList,
): number {
  const observed = entry?.borderBoxSize[0]?.blockSize;
  if (observed !== undefined) return observed;
  const index = list.indexFromElement(element);
  const key = list.options.getItemKey(index);
  if ("closed" in element.dataset) {
    // It was closed while it was not in the page. As the first measurement it keeps what is read in place.
    list.itemSizeCache.delete(key);
    return list.options.estimateSize(index);
  }
  return list.itemSizeCache.get(key) ?? element.getBoundingClientRect().height;
}
