/** A line without what was written over, and how many states of a progress that is. */
export type FoldedProgress = { text: string; left: number };

/**
 * Leaves out what a progress display wrote over: it goes back to the beginning of its line with a carriage return and
 * writes the same with other figures (`curl`, `git`, `pip`). Texts between carriage returns that differ by more than
 * figures are no states of one display, as in a file with such ends of lines, and stay.
 */
export function foldProgress(line: string): FoldedProgress {
  if (!line.includes("\r")) return { text: line, left: 0 };
  const kept: string[] = [];
  let left = 0;
  let next: string | null = null;
  for (const state of line.split("\r").reverse()) {
    if (state !== "" && next !== null && nameOf(state) === nameOf(next)) {
      // With the empty ones between the two.
      while (kept.at(-1) === "") kept.pop();
      left += 1;
    } else kept.push(state);
    if (state !== "") next = state;
  }
  return { text: kept.reverse().join("\r"), left };
}

/** What a state is of: its letters before the first figure. */
function nameOf(state: string): string {
  return state.split(/\d/, 1)[0]?.replace(/[^\p{L}]/gu, "") ?? "";
}
