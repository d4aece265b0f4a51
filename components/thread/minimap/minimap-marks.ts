import type { OutlineEntry } from "@/lib/wire/session";

/** SVG paths of a minimap, one for each kind of mark, in its pixels. */
export type MinimapMarks = {
  density: string;
  prompts: string;
  agents: string;
  edits: string;
  errors: string;
  compactions: string;
};

/** Bars closer than this run into each other. */
const BAR_PITCH_PX = 3;

/**
 * Draws turns in proportion to their rows: prompts as full strokes, tool calls as the density below them,
 * agents left, edits and errors right, compactions as a double rule.
 */
export function minimapMarks(
  turns: readonly OutlineEntry[],
  totalRows: number,
  heightPx: number,
): MinimapMarks {
  const marks: MinimapMarks = {
    density: "",
    prompts: "",
    agents: "",
    edits: "",
    errors: "",
    compactions: "",
  };
  if (totalRows === 0) return marks;
  const yOf = (row: number) => Math.round((row / totalRows) * heightPx * 2) / 2;
  // Where turns stand closer than their marks are high, not every one is drawn.
  const prompt = spaced(4);
  const edit = spaced(7);
  const error = spaced(7);
  for (const [index, turn] of turns.entries()) {
    const y = yOf(turn.row);
    const end = yOf(turns[index + 1]?.row ?? totalRows);
    if (prompt(y)) marks.prompts += `M14 ${y}h34v2h-34z`;
    for (let bar = y + BAR_PITCH_PX; bar < end - 1; bar += BAR_PITCH_PX) {
      // Any fixed variation does: it stands for "rows", not for their widths.
      marks.density += `M14 ${bar}h${6 + ((bar * 7 + index * 13) % 19)}v1.5H14z`;
    }
    const middle = (y + Math.max(end, y + 8)) / 2;
    if (turn.agents > 0) marks.agents += `M6 ${y + 2}h2v${Math.max(4, end - y - 3)}h-2z`;
    if (turn.added + turn.removed > 0 && edit(y)) marks.edits += `M47.5 ${middle - 3}l3 3-3 3-3-3z`;
    if (turn.errors > 0 && error(y)) marks.errors += `M45 ${y + 3}l5 5M50 ${y + 3}l-5 5`;
    if (turn.compactedBefore) marks.compactions += `M0 ${y - 3.5}h56M0 ${y - 0.5}h56`;
  }
  return marks;
}

/** Lets a mark pass when the one before is at least `gapPx` above it. */
function spaced(gapPx: number): (y: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (y) => {
    if (y - last < gapPx) return false;
    last = y;
    return true;
  };
}
