import type { Virtualizer } from "@tanstack/react-virtual";

/**
 * A row's height to the fraction: rows stand in a flow, where what is rounded would add up. One that was
 * measured before is first taken as it was, so that the page need not be laid out for it.
 */
export function measureRow(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  list: Virtualizer<HTMLElement, HTMLElement>,
): number {
  const observed = entry?.borderBoxSize[0]?.blockSize;
  if (observed !== undefined) return observed;
  const known = list.itemSizeCache.get(list.options.getItemKey(list.indexFromElement(element)));
  return known ?? element.getBoundingClientRect().height;
}
