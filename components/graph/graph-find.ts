import { firstPlace } from "@/lib/format/lists";
import type { RecordId } from "@/lib/wire/ids";
import { parseRecordId } from "@/lib/wire/ids";
import { type GraphLayout, ROW_PX } from "./graph-layout";
import type { GraphModel } from "./graph-model";

const HIT_PX = 16;

/** The item at a point of the graph, or `null`. `reach` is the tolerance for touch input, in graph pixels. */
export function itemAtPoint(layout: GraphLayout, x: number, y: number, reach: number): number | null {
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

/** The last item of a line that begins at or before `x`; `null` if there is none. */
export function lastAtOrBefore({ model, x: xs }: GraphLayout, line: number, x: number): number | null {
  const { from = 0, to = 0 } = model.lines[line] ?? {};
  const behind = firstPlace(from, to, (item) => (xs[item] ?? 0) > x);
  return behind > from ? behind - 1 : null;
}

/** The item that holds a record, as far as ids tell: of the same file, the last item that begins at or before it. */
export function itemOfRecord({ items }: GraphModel, recordId: RecordId): number | null {
  const exact = items.findLastIndex(({ id }) => id === recordId);
  if (exact !== -1) return exact;
  const { file, offset: wanted } = parseRecordId(recordId);
  let best: number | null = null;
  let bestOffset = -1;
  for (const [index, { id }] of items.entries()) {
    const position = parseRecordId(id);
    if (position.file !== file || position.offset > wanted || position.offset <= bestOffset) continue;
    best = index;
    bestOffset = position.offset;
  }
  return best;
}
