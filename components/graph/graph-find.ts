import type { RecordId } from "@/lib/wire/ids";
import { parseRecordId } from "@/lib/wire/ids";
import { type GraphLayout, ROW_PX } from "./graph-layout";
import type { GraphModel } from "./graph-model";

const HIT_PX = 16;

/** The item at a place of the graph, `null` where there is none near. `reach`: how far a touch may be off. */
export function itemAtPlace(layout: GraphLayout, x: number, y: number, reach: number): number | null {
  const { lines } = layout.model;
  for (let line = 0; line < lines.length; line++) {
    if (Math.abs(y - (layout.row[line] ?? 0) * ROW_PX) > Math.min(ROW_PX / 2, HIT_PX + reach)) continue;
    if (x < (layout.lineX0[line] ?? 0) - reach || x > (layout.lineX1[line] ?? 0) + reach) continue;
    const item = lastAtOrBefore(layout, line, x + reach);
    if (item === null) continue;
    const end = (layout.x[item] ?? 0) + (layout.width[item] ?? 0);
    if (x <= end + reach) return item;
  }
  return null;
}

/** The last item of a line that begins at `x` or before it, `null` if none does. */
export function lastAtOrBefore({ model, x: xs }: GraphLayout, line: number, x: number): number | null {
  const { from = 0, to = 0 } = model.lines[line] ?? {};
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  return low > from ? low - 1 : null;
}

/** The item that holds a record, as well as ids tell: on each line of its file the last that begins at or before it. */
export function itemOfRecord({ items }: GraphModel, recordId: RecordId): number | null {
  const exact = items.findLastIndex(({ id }) => id === recordId);
  if (exact !== -1) return exact;
  const { file, offset: wanted } = parseRecordId(recordId);
  let best: number | null = null;
  let bestOffset = -1;
  for (const [index, { id }] of items.entries()) {
    const place = parseRecordId(id);
    if (place.file !== file || place.offset > wanted || place.offset <= bestOffset) continue;
    best = index;
    bestOffset = place.offset;
  }
  return best;
}
