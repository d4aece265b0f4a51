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

type Place = { from: number; to: number };

/** The places of some filters in a query. */
function placesOf(query: string, names: readonly FilterName[]): Place[] {
  const tokens = tokensOf(query);
  return tokens.flatMap((token, at) => {
    if (token.kind !== "term") return [];
    const name = findFilter(token.text.slice(0, Math.max(0, token.text.indexOf(":"))));
    return name === null || !names.includes(name) ? [] : placeOf(tokens, at, at);
  });
}

/** The place of some tokens, with their minus and with an OR that would be left alone. */
function placeOf(tokens: readonly Token[], first: number, last: number): Place {
  const begin = tokens[first - 1]?.kind === "minus" ? first - 1 : first;
  const [before, after] = [tokens[begin - 1], tokens[last + 1]];
  const { from } = (before?.kind === "or" ? before : tokens[begin]) as Token;
  const { to } = (before?.kind !== "or" && after?.kind === "or" ? after : tokens[last]) as Token;
  return { from, to };
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
  const places = placesOf(query, names);
  return places.length === 0 ? query : withoutEmptyGroups(without(query, places));
}

function withoutEmptyGroups(query: string): string {
  const tokens = tokensOf(query);
  const group = tokens.findIndex(({ kind }, at) => kind === "open" && tokens[at + 1]?.kind === "close");
  return group === -1 ? query : withoutEmptyGroups(without(query, [placeOf(tokens, group, group + 1)]));
}

function without(query: string, places: readonly Place[]): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of places) {
    rest += query.slice(at, from);
    at = to + (/^\s*/.exec(query.slice(to))?.[0].length ?? 0);
  }
  return (rest + query.slice(at)).trim();
}
