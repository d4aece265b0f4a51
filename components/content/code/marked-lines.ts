import type { OpenedPlace } from "@/components/content/line-selection";

/** Lines of a chunk that are pointed at; `from` > `to` where none is. `intoView`: its first comes into view. */
export type ChunkMarks = { from: number; to: number; intoView: boolean };

const NONE: ChunkMarks = { from: 1, to: 0, intoView: false };

/** What of the place pointed at lies in the lines `first` to `last`. The same object wherever none does. */
export function marksWithin(place: OpenedPlace, first: number | null, last: number): ChunkMarks {
  const { lines, linked } = place;
  if (!lines || first === null || lines.to < first || lines.from > last) return NONE;
  return {
    from: Math.max(first, lines.from),
    to: Math.min(last, lines.to),
    intoView: linked && lines.from >= first,
  };
}
