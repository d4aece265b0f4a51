import { looksLikePassword, looksRandom } from "./looks";
import type { Secret } from "./rule";

/** What a column's name says of its cells: each is a password, or each may be a key. */
export type ColumnRule = "password" | "assigned-secret";
type Line = { start: number; end: number };

/**
 * A separating line below the names of columns. Its characters are tried once, so a text of nothing else takes linear
 * time.
 */
const RULER = /^[-+|: \t]+$/gm;
const IS_RULER = /^[-+|: \t]+$/;
/** As `psql` begins each row in expanded output (`\x`). */
const RECORD = /^-\[ RECORD \d{1,9} \][-+]*$/gm;
/** Names of columns between tabs or commas, and nothing else, as `mysql` prints them into a pipe. */
const NAMES = /^[A-Za-z_][\w ]{0,63}(?:(?:\t[A-Za-z_][\w ]{0,63})+|(?:,[A-Za-z_][\w ]{0,63})+)\r?$/gm;
const PASSWORD = /pass(?:word|wd|phrase)|^(?:.*[_ ])?(?:pass|pwd)$/i;
const KEY = /^(?:.*[_ ])?(?:secret|token|(?:api|access|private|secret|signing|encryption|master)[_ ]?key)$/i;
/** No name of a column is longer, and no row has more of them. */
const MAX_NAME = 64;
const MAX_COLUMNS = 200;

/**
 * Secrets in tables of `psql`, `mysql`, `sqlite`, `vault` and Markdown, or in files of values separated by tabs or
 * commas, by the names of their columns; where each row is a name and a value, by that name.
 */
export function findInTables(text: string): Secret[] {
  const found: Secret[] = [];
  if (!text.includes("\n")) return found;
  if (text.includes("--")) {
    for (const { 0: ruler, index } of text.matchAll(RULER)) {
      const header = ruler.includes("--") ? lineBefore(text, index) : null;
      if (header) readTable(text, header, index + ruler.length, splitterFor(ruler), found);
    }
    for (const { 0: mark, index } of text.includes("-[ RECORD ") ? text.matchAll(RECORD) : [])
      readPairs(text, index + mark.length, BARS, found);
  }
  let done = 0;
  for (const { 0: names, index } of text.matchAll(NAMES)) {
    if (index < done) continue;
    const header = { start: index, end: index + names.length };
    const separator = names.includes("\t") ? "\t" : ",";
    done = readTable(text, header, header.end, (row) => row.split(separator, MAX_COLUMNS), found);
  }
  return found;
}

/** @returns where the table ends */
function readTable(text: string, header: Line, from: number, split: Splitter, found: Secret[]): number {
  const names = cellsOf(text, header, split);
  const [first, second] = names.map((name) => text.slice(name.start, name.end).toLowerCase());
  if (names.length === 2 && first === "key" && second === "value") return readPairs(text, from, split, found);
  const telling = names.flatMap((name, column) => {
    const rule = ruleOfColumn(text.slice(name.start, name.end));
    return rule === null ? [] : [{ column, rule }];
  });
  if (telling.length === 0) return from;
  return eachRow(text, from, names.length, split, (cells) => {
    for (const { column, rule } of telling) found.push(...secretInCell(text, cells[column] as Line, rule));
  });
}

/** Rows of a name and its value. */
function readPairs(text: string, from: number, split: Splitter, found: Secret[]): number {
  return eachRow(text, from, 2, split, ([name, value]) => {
    const rule = name ? ruleOfColumn(text.slice(name.start, name.end)) : null;
    if (value && rule !== null) found.push(...secretInCell(text, value, rule));
  });
}

/** @returns where the rows end: at another ruler, an empty line, or one of other columns */
function eachRow(
  text: string,
  from: number,
  columns: number,
  split: Splitter,
  take: (cells: Line[]) => void,
): number {
  let end = from;
  for (let row = lineAfter(text, end); row; row = lineAfter(text, end)) {
    const line = text.slice(row.start, row.end).trim();
    if (line === "" || (line.includes("--") && IS_RULER.test(line))) break;
    const cells = cellsOf(text, row, split);
    if (cells.length !== columns) break;
    take(cells);
    end = row.end;
  }
  return end;
}

/** What the cells of a column with this name hold; `null` where the name suggests no secrets. */
export function ruleOfColumn(name: string): ColumnRule | null {
  if (name.length > MAX_NAME) return null;
  return PASSWORD.test(name) ? "password" : KEY.test(name) ? "assigned-secret" : null;
}

/** A cell of such a column as a secret; none where its value cannot be one. */
export function secretInCell(text: string, cell: Line, rule: ColumnRule): Secret[] {
  const value = text.slice(cell.start, cell.end);
  const isSecret = rule === "password" ? looksLikePassword(value) : value.length >= 12 && looksRandom(value);
  return isSecret && !/\s/.test(value) ? [{ rule, ...cell }] : [];
}

/** The cells of a row without the blanks around them. Text outside of a frame is no cell. */
function cellsOf(text: string, line: Line, split: Splitter): Line[] {
  const row = text.slice(line.start, line.end);
  let start = line.start;
  const cells = split(row).map((part) => {
    const from = start + part.length - part.trimStart().length;
    start += part.length + 1;
    return { start: from, end: from + part.trim().length };
  });
  return row.trimStart().startsWith("|")
    ? cells.slice(1, row.trimEnd().endsWith("|") ? -1 : undefined)
    : cells;
}

/** Splits a row into its cells, leaving out one character between two of them. */
type Splitter = (row: string) => string[];

const BARS: Splitter = (row) => row.split("|", MAX_COLUMNS);

/** Where a ruler has no bars, columns begin where its dashes do. */
function splitterFor(ruler: string): Splitter {
  const starts = [...ruler.matchAll(/-+/g)].map(({ index }) => index);
  if (/[|+]/.test(ruler) || starts.length < 2) return BARS;
  return (row) =>
    starts.map((from, at) => row.slice(at === 0 ? 0 : from, (starts[at + 1] ?? row.length + 1) - 1));
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
