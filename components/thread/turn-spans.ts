import type { Row } from "@/lib/wire/rows";

/** How long the turns among these rows took, by their number: the scale of their rows' spans. */
export function turnSpans(rows: Iterable<Row>): ReadonlyMap<number, number | null> {
  const spans = new Map<number, number | null>();
  for (const row of rows) if (row.kind === "turn") spans.set(row.turn, row.durationMs);
  return spans;
}
