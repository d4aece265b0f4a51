import type { Secret } from "./rule";
import { type ColumnRule, ruleOfColumn, secretInCell } from "./table-cells";

/**
 * A statement up to its values: `INSERT INTO users (name, password) VALUES`. No column's name contains a bracket, so it
 * is read once.
 */
const INSERT =
  /\b(?:insert|replace)\s{1,8}(?:(?:ignore|low_priority|delayed|or\s{1,8}\w{1,10})\s{1,8})?into\s{1,8}[\w."`[\]]{1,160}\s{0,8}\(([^()]{1,8000})\)\s{0,8}(?:overriding\s{1,8}\w{1,8}\s{1,8}value\s{1,8})?values?\s{0,8}(?=\()/gi;
/** As `pg_dump` writes a table: rows between tabs follow, up to `\.`. */
const COPY = /^COPY\s{1,8}[\w."]{1,160}\s{0,8}\(([^()]{1,8000})\)\s{1,8}FROM\s{1,8}stdin[^\r\n]{0,80}\r?\n/gm;
/** Text between quotes, brackets and commas: numbers, names of functions. */
const BARE = /[^'"(),;]+/y;

/** Secrets among the values that an SQL statement puts into a table, by the names of the columns. */
export function findInStatements(text: string): Secret[] {
  const found: Secret[] = [];
  if (!/insert|replace|COPY/i.test(text)) return found;
  const inserts = [...text.matchAll(INSERT)];
  let done = 0;
  for (const [nth, match] of inserts.entries()) {
    const rules = rulesOf(match[1] as string);
    if (rules.every((rule) => rule === null)) continue;
    const from = match.index + match[0].length;
    // Within another one's rows it is part of a value, or a quote before it does not end where it should: it has what
    // stands before the next one. So each character is read twice at the most.
    if (from < done) readRows(text, from, inserts[nth + 1]?.index ?? text.length, rules, found);
    else done = readRows(text, from, text.length, rules, found);
  }
  COPY.lastIndex = 0;
  for (let match = COPY.exec(text); match; match = COPY.exec(text)) {
    const rules = rulesOf(match[1] as string);
    if (rules.some((rule) => rule !== null)) COPY.lastIndex = readCopied(text, COPY.lastIndex, rules, found);
  }
  return found;
}

type Rules = readonly (ColumnRule | null)[];

function rulesOf(columns: string): Rules {
  return columns.split(",").map((name) => ruleOfColumn(name.replace(/["'`[\]]/g, "").trim()));
}

/** Rows of values in brackets, before `to`. @returns where they end */
function readRows(text: string, from: number, to: number, rules: Rules, found: Secret[]): number {
  let at = from;
  let depth = 0;
  let column = 0;
  while (at < to) {
    const char = text[at] as string;
    if (depth > 0 && (char === "'" || char === '"')) {
      const end = endOfQuoted(text, at, to);
      // A quote that does not end: the text was cut, or the statement is put together.
      if (end === null) return to;
      const rule = rules[column] ?? null;
      if (rule !== null) found.push(...secretInCell(text, { start: at + 1, end: end - 1 }, rule));
      at = end;
      continue;
    }
    if (char === "(") {
      if (depth === 0) column = 0;
      depth += 1;
    } else if (char === ")") depth -= 1;
    else if (char === "," && depth === 1) column += 1;
    else if (char === ";" || (depth === 0 && !/[\s,]/.test(char)) || depth < 0) return at;
    BARE.lastIndex = at;
    at += BARE.exec(text)?.[0].length ?? 1;
  }
  return at;
}

/**
 * Rows, a line each.
 * @returns where they end
 */
function readCopied(text: string, from: number, rules: Rules, found: Secret[]): number {
  let start = from;
  while (start < text.length && !text.startsWith("\\.", start)) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const cells = text.slice(start, end).split("\t", rules.length + 1);
    if (cells.length !== rules.length) return start;
    let cellStart = start;
    for (const [column, cell] of cells.entries()) {
      const rule = rules[column] ?? null;
      const value = { start: cellStart, end: cellStart + cell.trimEnd().length };
      if (rule !== null) found.push(...secretInCell(text, value, rule));
      cellStart += cell.length + 1;
    }
    start = end + 1;
  }
  return start;
}

/**
 * Where a value in quotes ends, in which they are doubled or escaped; `null` where it does not before `to`. An expression
 * would keep each of its characters in mind, and a picture in a table has more than there is room for.
 */
function endOfQuoted(text: string, at: number, to: number): number | null {
  const quote = text[at];
  for (let next = at + 1; next < to; next++) {
    if (text[next] === "\\") next += 1;
    else if (text[next] === quote) {
      if (text[next + 1] !== quote) return next + 1;
      next += 1;
    }
  }
  return null;
}
