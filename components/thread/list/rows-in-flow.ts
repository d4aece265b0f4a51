type Placed = { index: number; start: number; end: number };

/**
 * The items that follow each other around `index`, where the first of them begins and the last ends. They stand in
 * the page's flow; a selected row that is kept further away is placed by itself.
 */
export function rowsInFlow(
  items: readonly Placed[],
  index: number,
): { first: number; last: number; start: number; end: number } {
  const at = Math.max(
    0,
    items.findIndex((item) => item.index >= index),
  );
  let from = at;
  let to = at;
  while (from > 0 && items[from - 1]?.index === (items[from]?.index ?? 0) - 1) from--;
  while (to + 1 < items.length && items[to + 1]?.index === (items[to]?.index ?? 0) + 1) to++;
  return {
    first: items[from]?.index ?? 0,
    last: items[to]?.index ?? -1,
    start: items[from]?.start ?? 0,
    end: items[to]?.end ?? 0,
  };
}
