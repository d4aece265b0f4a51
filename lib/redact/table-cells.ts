import { looksLikePassword, looksRandom } from "./looks";

type Cell = { rule: "password" | "assigned-secret"; start: number; end: number };
type Line = { start: number; end: number };

/** A line that only separates: below the names of columns. Its letters are tried once, so a text of them takes its length. */
const RULER = /^[-+|: \t]+$/gm;
const IS_RULER = /^[-+|: \t]+$/;
/** As `psql` begins each row whose columns stand below each other (`\x`). */
const RECORD = /^-\[ RECORD \d{1,9} \][-+]*$/gm;
const PASSWORD = /pass(?:word|wd|phrase)|^(?:.*[_ ])?(?:pass|pwd)$/i;
const KEY = /^(?:.*[_ ])?(?:secret|token|(?:api|access|private|secret|signing|encryption|master)[_ ]?key)$/i;
/** No name of a column is longer, and no row has more of them. */
const MAX_NAME = 64;
const MAX_COLUMNS = 200;

/**
 * Secrets in tables as `psql`, `mysql` and Markdown have them, by the names of their columns; where rows are written
 * column below column, by the name before each.
 */
export function findInTables(text: string): Cell[] {
  if (!text.includes("--")) return [];
  const found: Cell[] = [];
  for (const { 0: ruler, index } of text.matchAll(RULER)) {
    if (!ruler.includes("--")) continue;
    const header = lineBefore(text, index);
    const names = header ? cellsOf(text, header) : [];
    const telling = names.flatMap((name, column) => {
      const rule = ruleFor(text.slice(name.start, name.end));
      return rule === null ? [] : [{ column, rule }];
    });
    if (telling.length === 0) continue;
    for (let row = lineAfter(text, index + ruler.length); row; row = lineAfter(text, row.end)) {
      const line = text.slice(row.start, row.end).trim();
      // A table ends here, and another one is looked at by itself.
      if (line === "" || (line.includes("--") && IS_RULER.test(line))) break;
      const cells = cellsOf(text, row);
      if (cells.length !== names.length) break;
      for (const { column, rule } of telling) found.push(...secretIn(text, cells[column] as Line, rule));
    }
  }
  for (const { 0: mark, index } of text.includes("-[ RECORD ") ? text.matchAll(RECORD) : []) {
    for (let row = lineAfter(text, index + mark.length); row; row = lineAfter(text, row.end)) {
      const cells = cellsOf(text, row);
      const [name, value] = cells;
      if (cells.length !== 2 || !name || !value) break;
      const rule = ruleFor(text.slice(name.start, name.end));
      if (rule !== null) found.push(...secretIn(text, value, rule));
    }
  }
  return found;
}

function ruleFor(name: string): Cell["rule"] | null {
  if (name.length > MAX_NAME) return null;
  return PASSWORD.test(name) ? "password" : KEY.test(name) ? "assigned-secret" : null;
}

function secretIn(text: string, cell: Line, rule: Cell["rule"]): Cell[] {
  const value = text.slice(cell.start, cell.end);
  const isSecret = rule === "password" ? looksLikePassword(value) : value.length >= 12 && looksRandom(value);
  return isSecret && !/\s/.test(value) ? [{ rule, ...cell }] : [];
}

/** The cells of a row without the blanks around them. What stands outside of a frame is none. */
function cellsOf(text: string, line: Line): Line[] {
  const row = text.slice(line.start, line.end);
  const parts = row.split("|", MAX_COLUMNS);
  let start = line.start;
  const cells = parts.map((part) => {
    const from = start + part.length - part.trimStart().length;
    start += part.length + 1;
    return { start: from, end: from + part.trim().length };
  });
  return row.trimStart().startsWith("|")
    ? cells.slice(1, row.trimEnd().endsWith("|") ? -1 : undefined)
    : cells;
}

function lineBefore(text: string, at: number): Line | null {
  if (at === 0) return null;
  const end = at - 1;
  return { start: text.lastIndexOf("\n", end - 1) + 1, end };
}

function lineAfter(text: string, end: number): Line | null {
  const start = text.indexOf("\n", end) + 1;
  if (start === 0 || start === text.length) return null;
  const newline = text.indexOf("\n", start);
  return { start, end: newline === -1 ? text.length : newline };
}
