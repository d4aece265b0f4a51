/** Lines numbered as by `cat -n`. `ends`: only a reminder follows them. */
export type NumberedLines = { from: number; lines: (string | null)[]; ends: boolean };

/** Up to 2.1.42 an arrow stands between number and line, from 2.1.110 on a tab. */
const NUMBERED = /^ *(\d+)[→\t](.*)$/s;
/** The client shows this many characters of a line, and marks that it was cut. */
const CUT = "... [truncated]";

/** The numbered lines that a text begins with; `null` for none, or where their numbers don't follow one another. */
export function numberedLines(text: string): NumberedLines | null {
  const lines: (string | null)[] = [];
  let from = 0;
  let end = 0;
  for (const line of text.split("\n")) {
    const match = NUMBERED.exec(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!match) break;
    const number = Number(match[1]);
    if (lines.length === 0) from = number;
    else if (number !== from + lines.length) break;
    const shown = match[2] ?? "";
    lines.push(shown.endsWith(CUT) ? null : shown);
    end += line.length + 1;
  }
  if (lines.length === 0 || from < 1) return null;
  const rest = text.slice(end).trim();
  return { from, lines, ends: rest === "" || rest.startsWith("<system-reminder>") };
}
