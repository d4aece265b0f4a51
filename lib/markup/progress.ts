/** A line without the text that was overwritten, and how many states of a progress display it had. */
export type FoldedProgress = { text: string; left: number };

/**
 * Removes the text that a progress display overwrote: it returns to the beginning of its line with a carriage return
 * and writes the same text with other numbers (`curl`, `git`, `pip`). Texts between carriage returns that differ by
 * more than numbers are no states of one display, as in a file with such line ends, and stay.
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

/** What a state is about: its letters before the first number. */
function nameOf(state: string): string {
  return state.split(/\d/, 1)[0]?.replace(/[^\p{L}]/gu, "") ?? "";
}
