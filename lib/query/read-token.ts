/**
 * A piece of a query. A `term` is a word or a filter; `quoted` says where its quotes begin, so that
 * `tool:"a b"` is a filter and `"tool:a"` a phrase.
 */
export type Token =
  | { kind: "open" | "close" | "or" | "minus"; from: number; to: number }
  | { kind: "phrase"; text: string; closed: boolean; from: number; to: number }
  | { kind: "regex"; source: string; from: number; to: number }
  | { kind: "term"; text: string; value: string | null; closed: boolean; from: number; to: number };

const SPACE = /\s/;

/** The token that starts at or behind `at`, or null at the end. `depth` is the number of open brackets. */
export function readToken(text: string, at: number, depth: number): Token | null {
  let from = at;
  while (from < text.length && SPACE.test(text[from] as string)) from += 1;
  if (from >= text.length) return null;
  const first = text[from];
  if (first === "(") return { kind: "open", from, to: from + 1 };
  if (first === ")" && depth > 0) return { kind: "close", from, to: from + 1 };
  if (first === "-" && isNegation(text, from)) return { kind: "minus", from, to: from + 1 };
  if (first === '"') {
    const { value, closed, to } = readQuoted(text, from);
    return { kind: "phrase", text: value, closed, from, to };
  }
  if (first === "/") {
    const to = regexEnd(text, from, depth);
    if (to !== -1) return { kind: "regex", source: text.slice(from + 1, to - 1), from, to };
  }
  return readTerm(text, from, depth);
}

/** `-word`, but neither a dash alone nor an option such as `--force`. */
function isNegation(text: string, at: number): boolean {
  const next = text[at + 1];
  return next !== undefined && next !== "-" && next !== ")" && !SPACE.test(next);
}

function readTerm(text: string, from: number, depth: number): Token {
  let to = from;
  while (to < text.length && !SPACE.test(text[to] as string) && !(text[to] === ")" && depth > 0)) {
    // Only a filter's value may be quoted: `say"hi"` is a word with quotes in it.
    if (text[to] === '"' && text[to - 1] === ":" && /^[a-z]+:$/i.test(text.slice(from, to))) {
      const { value, closed, to: end } = readQuoted(text, to);
      return { kind: "term", text: text.slice(from, end), value, closed, from, to: end };
    }
    to += 1;
  }
  const word = text.slice(from, to);
  if (word === "OR") return { kind: "or", from, to };
  return { kind: "term", text: word, value: null, closed: true, from, to };
}

/** Inside quotes `\"` is a quote and `\\` a backslash; every other backslash is itself. Quotes left open reach to the end. */
function readQuoted(text: string, from: number): { value: string; closed: boolean; to: number } {
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    const next = text[at + 1];
    if (text[at] === '"') return { value, closed: true, to: at + 1 };
    if (text[at] === "\\" && (next === '"' || next === "\\")) {
      value += next;
      at += 1;
    } else value += text[at];
  }
  return { value, closed: false, to: text.length };
}

/** Just past the slash that closes a regular expression, or -1: `/usr/bin` is a path and a word. */
function regexEnd(text: string, from: number, depth: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "\n") return -1;
    else if (text[at] === "/" && at > from + 1) {
      const next = text[at + 1];
      if (next === undefined || SPACE.test(next) || (next === ")" && depth > 0)) return at + 1;
    }
  }
  return -1;
}
