import { checkFilter, type Filter, type FilterName, findFilter, meantFilter } from "./filters";
import { readToken, type Token } from "./read-token";

/** A query as a tree. `and` and `or` have at least two parts; a query of nothing is `null`. */
export type Query =
  | { kind: "word"; text: string }
  | { kind: "phrase"; text: string }
  | { kind: "regex"; source: string }
  | { kind: "filter"; name: FilterName; value: string }
  | { kind: "not"; part: Query }
  | { kind: "and"; parts: Query[] }
  | { kind: "or"; parts: Query[] };

/** A part of a query that holds no other: a word, phrase, expression or filter. */
export type Leaf = Exclude<Query, { kind: "not" | "and" | "or" }>;

/** An error in a query, from one character to another. The term is then searched as a plain word. */
export type QueryError = { from: number; to: number; message: string };

/** A query as read: `null` where nothing is asked. Parts with errors are left out, or searched as they are. */
export type ParsedQuery = { query: Query | null; errors: QueryError[] };

type Options = {
  /** The error in a regular expression, or null. Without this option every one passes. */
  checkRegex?: (source: string) => string | null;
  /** Why a filter cannot be used here, or null. Without this option every one with a valid value can. */
  refuseFilter?: (filter: Filter) => string | null;
};

/** A part under construction: alternatives, each of them terms that must all hold. */
type Frame = { from: number; alternatives: Query[][]; negated: boolean };

/**
 * Reads a query. Never throws: a term that makes no sense becomes a plain word and an error that
 * says where. Iterative, so that any number of brackets is only as deep as memory.
 *
 *   query   = and { "OR" and }            and binds tighter than OR
 *   and     = part { part }
 *   part    = [ "-" ] ( "(" query ")" | phrase | regex | filter | word )
 *   phrase  = '"' … '"'                   \" and \\ inside
 *   regex   = "/" … "/"                   RE2 syntax, any case
 *   filter  = name ":" ( value | phrase )
 *   word    = anything else without a space
 */
export function parseQuery(
  text: string,
  { checkRegex = () => null, refuseFilter = () => null }: Options = {},
): ParsedQuery {
  const errors: QueryError[] = [];
  const frames: Frame[] = [{ from: 0, alternatives: [[]], negated: false }];
  let negated = false;

  const add = (part: Query) => {
    const frame = frames[frames.length - 1] as Frame;
    frame.alternatives[frame.alternatives.length - 1]?.push(negated ? { kind: "not", part } : part);
    negated = false;
  };
  const close = () => {
    const frame = frames.pop() as Frame;
    negated = frame.negated;
    const query = join(frame);
    if (query) add(query);
    negated = false;
  };

  let at = 0;
  for (let token = readToken(text, at, 0); token !== null; token = readToken(text, at, frames.length - 1)) {
    at = token.to;
    switch (token.kind) {
      case "minus":
        // `--x` is a word, so a minus never follows another.
        negated = true;
        break;
      case "open":
        frames.push({ from: token.from, alternatives: [[]], negated });
        negated = false;
        break;
      case "close":
        close();
        break;
      case "or": {
        const frame = frames[frames.length - 1] as Frame;
        const isBetween =
          !negated && frame.alternatives.at(-1)?.length !== 0 && hasMore(text, at, frames.length - 1);
        if (isBetween) frame.alternatives.push([]);
        else add({ kind: "phrase", text: "OR" });
        break;
      }
      case "phrase":
        if (!token.closed)
          errors.push({ from: token.from, to: token.to, message: "This quote is never closed" });
        if (token.text !== "") add({ kind: "phrase", text: token.text });
        else {
          errors.push({ from: token.from, to: token.to, message: "There is nothing between these quotes" });
          negated = false;
        }
        break;
      case "regex": {
        const wrong = checkRegex(token.source);
        if (wrong === null) add({ kind: "regex", source: token.source });
        else {
          errors.push({ from: token.from, to: token.to, message: wrong });
          add({ kind: "phrase", text: text.slice(token.from, token.to) });
        }
        break;
      }
      case "term":
        add(toTerm(token, errors, refuseFilter));
    }
  }
  while (frames.length > 1) {
    const { from } = frames[frames.length - 1] as Frame;
    errors.push({ from, to: from + 1, message: "This bracket is never closed" });
    close();
  }
  errors.sort((a, b) => a.from - b.from);
  return { query: join(frames[0] as Frame), errors };
}

/** Whether an OR has a term after it. */
function hasMore(text: string, at: number, depth: number): boolean {
  const next = readToken(text, at, depth);
  return next !== null && next.kind !== "close";
}

function toTerm(
  { text, value, closed, from, to }: Extract<Token, { kind: "term" }>,
  errors: QueryError[],
  refuseFilter: (filter: Filter) => string | null,
): Query {
  const colon = text.indexOf(":");
  const name = findFilter(text.slice(0, Math.max(0, colon)));
  if (name === null) return plain(text);
  if (!closed) errors.push({ from, to, message: "This quote is never closed" });
  const given = value ?? text.slice(colon + 1);
  const filter = meantFilter({ name, value: given });
  const wrong = checkFilter(filter) ?? refuseFilter(filter);
  if (wrong === null) return { kind: "filter", ...filter };
  errors.push({ from, to, message: wrong });
  return { kind: "phrase", text };
}

/** A term that would read as something else when it is printed is kept as a phrase. */
function plain(text: string): Query {
  return text.includes("(") || text.includes(")") ? { kind: "phrase", text } : { kind: "word", text };
}

function join({ alternatives }: Frame): Query | null {
  const parts = alternatives.filter((terms) => terms.length > 0).map((terms) => gather("and", terms));
  return parts.length === 0 ? null : gather("or", parts);
}

/** Nested parts of the same kind are one: `a (b c)` is `a b c`. */
function gather(kind: "and" | "or", parts: Query[]): Query {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  return flat.length === 1 ? (flat[0] as Query) : { kind, parts: flat };
}
