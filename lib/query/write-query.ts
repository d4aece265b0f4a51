import { type FilterName, findFilter } from "./filters";
import { readToken, type Token } from "./read-token";

/** A text as a phrase of a query, which finds it as it is. */
export function formatPhrase(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** A filter as it is typed, with its value in quotes where it would otherwise be read as something else. */
export function formatFilter(name: FilterName, value: string): string {
  return `${name}:${/^[^\s"()]+$/.test(value) ? value : formatPhrase(value)}`;
}

/** The places of some filters in a query, each with its minus and with an OR that would be left alone. */
function placesOf(query: string, names: readonly FilterName[]): { from: number; to: number }[] {
  const tokens = tokensOf(query);
  return tokens.flatMap((token, at) => {
    if (token.kind !== "term") return [];
    const name = findFilter(token.text.slice(0, Math.max(0, token.text.indexOf(":"))));
    if (name === null || !names.includes(name)) return [];
    const first = tokens[at - 1]?.kind === "minus" ? at - 1 : at;
    const [before, after] = [tokens[first - 1], tokens[at + 1]];
    const from = (before?.kind === "or" ? before : tokens[first])?.from ?? token.from;
    return { from, to: before?.kind !== "or" && after?.kind === "or" ? after.to : token.to };
  });
}

function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let token = readToken(query, 0, 0); token !== null; token = readToken(query, token.to, depth)) {
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth -= 1;
    tokens.push(token);
  }
  return tokens;
}

/** Whether a query names any of these filters, anywhere. */
export function hasFilter(query: string, names: readonly FilterName[]): boolean {
  return placesOf(query, names).length > 0;
}

/** A query without these filters; what else it has stays as it was typed. */
export function withoutFilter(query: string, names: readonly FilterName[]): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of placesOf(query, names)) {
    rest += query.slice(at, from);
    at = to + (/^\s*/.exec(query.slice(to))?.[0].length ?? 0);
  }
  return at === 0 ? query : (rest + query.slice(at)).trim();
}
