import { type FilterName, findFilter } from "@/lib/query/filters";
import { readToken } from "@/lib/query/read-token";

/** A piece of a query as it is typed, with its position in UTF-16 units. Incomplete pieces are pieces too. */
export type QueryToken = {
  kind: "word" | "phrase" | "regex" | "filter" | "or" | "bracket";
  /** With its minus. */
  from: number;
  to: number;
  negated: boolean;
  /** `tool` of `tool:Bash`; `null` for a piece that is no filter. */
  name: FilterName | null;
};

const FILTER = /^([a-z]+):/i;

/** The pieces of a query in order, for the field's chips and completions. Never fails. */
export function queryTokens(query: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let depth = 0;
  let minusAt: number | null = null;
  for (let token = readToken(query, 0, 0); token; token = readToken(query, token.to, depth)) {
    if (token.kind === "minus") {
      minusAt = token.from;
      continue;
    }
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth -= 1;
    const name = token.kind === "term" ? filterName(token.text) : null;
    tokens.push({
      kind: KINDS[token.kind] ?? (name === null ? "word" : "filter"),
      from: minusAt ?? token.from,
      to: token.to,
      negated: minusAt !== null,
      name,
    });
    minusAt = null;
  }
  return tokens;
}

const THIS_SESSION = /^-?in:"?this-session"?$/i;

/** Whether a query finds in the session alone that is open where it is asked (`in:this-session`). */
export function isOfThisSession(query: string): boolean {
  const tokens = queryTokens(query);
  const isWanted = tokens.some(
    ({ from, to, negated }) => !negated && THIS_SESSION.test(query.slice(from, to)),
  );
  // With a choice others may be found as well.
  return isWanted && tokens.every(({ kind }) => kind !== "or");
}

/** A query as it is asked where no session is open: with this session's id for `in:this-session`. */
export function namingSession(query: string, session: string): string {
  let named = "";
  let at = 0;
  for (const { from, to, negated } of queryTokens(query)) {
    if (!THIS_SESSION.test(query.slice(from, to))) continue;
    named += `${query.slice(at, from)}${negated ? "-" : ""}session:${session}`;
    at = to;
  }
  return named + query.slice(at);
}

/** The query without one of its pieces, and without the `OR` that joins nothing then. */
export function withoutPiece(query: string, { from, to }: QueryToken): string {
  const tokens = queryTokens(query);
  const at = tokens.findIndex((one) => one.from === from);
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  const ends = (one: QueryToken | undefined) => !one || one.kind === "or" || one.kind === "bracket";
  const joint = ends(before) && ends(after) ? [before, after].find((one) => one?.kind === "or") : undefined;
  const head = query.slice(0, Math.min(from, joint?.from ?? from)).trimEnd();
  const rest = query.slice(Math.max(to, joint?.to ?? to)).trimStart();
  return `${head} ${rest}`.trim();
}

const KINDS: Partial<Record<string, QueryToken["kind"]>> = {
  open: "bracket",
  close: "bracket",
  or: "or",
  phrase: "phrase",
  regex: "regex",
};

/** `http://…` has a colon as well, and is a word. */
function filterName(text: string): FilterName | null {
  return findFilter(FILTER.exec(text)?.[1] ?? "");
}
