/** A piece of a query as it is typed, with its place in UTF-16 units. Half-typed pieces are pieces too. */
export type QueryToken = {
  kind: "word" | "phrase" | "regex" | "filter" | "or";
  from: number;
  to: number;
  negated: boolean;
  /** `tool` of `tool:Bash`; `null` for all that is no filter. */
  name: string | null;
  /** Without quotes, slashes and the filter's name. */
  value: string;
};

const FILTER = /^([a-z]+):/i;

/**
 * Splits a query at its spaces, for what the field does with it: chips, completion, marks. What a
 * query means is the server's to say; this never fails, whatever is typed.
 */
export function queryTokens(query: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let at = 0;
  while (at < query.length) {
    if (/\s/.test(query.charAt(at))) {
      at += 1;
      continue;
    }
    const token = tokenAt(query, at);
    tokens.push(token);
    at = token.to;
  }
  return tokens;
}

function tokenAt(query: string, from: number): QueryToken {
  const negated = query[from] === "-" && /\S/.test(query.charAt(from + 1));
  const start = from + (negated ? 1 : 0);
  const first = query.charAt(start);
  if (first === '"') return { ...quoted(query, start, '"'), kind: "phrase", from, negated, name: null };
  if (first === "/") return { ...quoted(query, start, "/"), kind: "regex", from, negated, name: null };
  const [, name] = FILTER.exec(query.slice(start, start + 20)) ?? [];
  if (name) {
    const behind = start + name.length + 1;
    const value = query[behind] === '"' ? quoted(query, behind, '"') : bare(query, behind);
    return { ...value, kind: "filter", from, negated, name: name.toLowerCase() };
  }
  const word = bare(query, start);
  return { ...word, kind: word.value === "OR" ? "or" : "word", from, negated, name: null };
}

function bare(query: string, start: number): { value: string; to: number } {
  const length = query.slice(start).search(/\s/);
  const to = length < 0 ? query.length : start + length;
  return { value: query.slice(start, to), to };
}

/** From an opening quote or slash to its closing one, or to the query's end; a backslash escapes. */
function quoted(query: string, start: number, quote: string): { value: string; to: number } {
  let at = start + 1;
  while (at < query.length && query[at] !== quote) at += query[at] === "\\" ? 2 : 1;
  const end = Math.min(at, query.length);
  return { value: query.slice(start + 1, end), to: Math.min(end + 1, query.length) };
}
