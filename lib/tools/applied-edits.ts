/** A replacement of text, as Edit takes it. */
export type Replacement = { from: string; to: string; all: boolean };

/**
 * The text after replacements, one after another; `null` if one is not found. A replacement of no text fills an empty
 * file. With `wholeLines` a deleted text takes the end of its line along, as in the client, which decides this by more
 * than the log has: callers with the recorded patch try both.
 */
export function applyEdits(text: string, edits: readonly Replacement[], wholeLines: boolean): string | null {
  let after = text;
  for (const { from, to, all } of edits) {
    if (from === "") {
      if (after !== "") return null;
      after = to;
      continue;
    }
    if (!after.includes(from)) return null;
    const takesLine = wholeLines && to === "" && !from.endsWith("\n") && after.includes(`${from}\n`);
    const gone = takesLine ? `${from}\n` : from;
    after = all ? after.replaceAll(gone, () => to) : after.replace(gone, () => to);
  }
  return after;
}

/** A line of a file as a recorded patch has it: the client writes the tabs at its beginning as spaces. */
export function asInPatch(line: string): string {
  return line.replace(/^[\t ]+/, (white) => white.replaceAll("\t", "  "));
}
