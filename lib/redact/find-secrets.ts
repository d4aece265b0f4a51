import type { RE2JS } from "re2js";
import { findClusterSecrets } from "./cluster-secrets";
import { looksRandom } from "./looks";
import { type PlainView, plainView } from "./plain-view";
import { findPrivateKeys } from "./private-keys";
import { anyOf, type FoundSecret, MAX_TRIED, type Rule, type Secret } from "./rule";
import { isPersonal, RULES } from "./rules";
import { findInStatements } from "./statement-values";
import { findInTables } from "./table-cells";

/** The shortest text that any rule finds something in: an address like `a@b.org`. */
const MIN_TEXT = 7;
const MAX_LEFT = 100;
/** What is no secret and longer is not tried again from inside: each keyword in it would have all that follows checked. */
const MAX_RETRIED = 500;
/** A token that was cut off is known by this much of it. */
const MIN_CUT = 8;
const MAX_CUT = 400;
const CUT_TOKEN = /[A-Za-z0-9_.+/=-]*/y;
/** How clients and tools mark that a text continues: `…`, `...`, `… +3 lines`, `[120 characters truncated]`. */
const CUT_HERE = /\s{0,8}(?:$|…|\.\.\.|\[|<)/y;
const MORE = /[A-Za-z0-9_-]*/y;
/** Where a terminal broke a line, with the indentation of the next. */
const BREAK = /[ \t]{0,4}\r?\n[ \t]{0,12}/y;
/** The minimum length of a token after its prefix, before the line break. */
const MIN_BROKEN = 4;
/** The number of lines within which a broken token must match its pattern; it may continue in more. */
const MAX_BROKEN = 4;
const MAX_LINES = 40;
/** Base64 of images and documents in one run, which is not examined further. */
const MIN_ENCODED = 4096;
const NOT_ENCODED = /[^A-Za-z0-9+/]/;
const PADDING = /={0,2}/y;

const RULES_OF = new Map<string, Rule[]>();
for (const rule of RULES)
  for (const keyword of rule.keywords) RULES_OF.set(keyword, [...(RULES_OF.get(keyword) ?? []), rule]);
const KEYWORDS = [...RULES_OF.keys()].sort((a, b) => b.length - a.length);
/** The rules of each keyword that was found so far: for all 650 of them it would take 10 ms of every start. */
const RULES_AT = new Map<string, Rule[]>();
const ANY_KEYWORD = anyOf(KEYWORDS);
const ORDER = new Map(
  ["own", "private-key", ...RULES.map(({ id }) => id), "env-value"].map((id, at) => [id, at]),
);

/**
 * The secrets of a text in their order, none overlapping another. Terminal sequences inside of them and written escapes
 * (JSON inside JSON) do not hide them. The time is linear in the text, whatever it holds.
 * @param own the user's own patterns
 */
export function findSecrets(text: string, own: readonly RE2JS[] = []): FoundSecret[] {
  if (text.length < MIN_TEXT && own.length === 0) return [];
  const encoded = encodedLength(text);
  if (encoded > 0) return behind(encoded, findSecrets(text.slice(encoded), own));
  const found = findIn(text, own).map((one) => ({ ...one, value: text.slice(one.start, one.end) }));
  const view = plainView(text);
  // One by one, as below: a text may hold more of them than a call takes arguments.
  if (view) for (const one of findInView(view, own)) found.push(one);
  return found.length < 2 ? found : withoutOverlaps(text, found);
}

/** Where a keyword begins, so do the keywords that it begins with. */
function rulesAt(keyword: string): Rule[] {
  const known = RULES_AT.get(keyword);
  if (known) return known;
  const begun = KEYWORDS.filter((other) => keyword.startsWith(other));
  const rules = begun.flatMap((other) => RULES_OF.get(other) ?? []);
  RULES_AT.set(keyword, rules);
  return rules;
}

/**
 * The length of the Base64 that a text begins with; 0 for less than a picture has. Its end is searched instead of
 * matched: an expression for all of it would remember each character, and a PDF of 4 MB has more than there is room
 * for.
 */
function encodedLength(text: string): number {
  if (text.length < MIN_ENCODED) return 0;
  const found = text.search(NOT_ENCODED);
  const end = found === -1 ? text.length : found;
  return end < MIN_ENCODED ? 0 : end + matchLength(PADDING, text, end);
}

function behind(offset: number, found: FoundSecret[]): FoundSecret[] {
  return found.map((one) => ({ ...one, start: one.start + offset, end: one.end + offset }));
}

function findInView(view: PlainView, own: readonly RE2JS[]): FoundSecret[] {
  return findIn(view.text, own).map(({ rule, start, end }) => ({
    ...{ rule, start: view.at(start), end: view.end(end - 1) },
    value: view.text.slice(start, end),
  }));
}

function findIn(text: string, own: readonly RE2JS[]): Secret[] {
  const found: Secret[] = [
    ...findPrivateKeys(text),
    ...findInTables(text),
    ...findInStatements(text),
    ...findClusterSecrets(text),
  ];
  let ends: Map<Rule, number> | null = null;
  ANY_KEYWORD.lastIndex = 0;
  for (let hit = ANY_KEYWORD.exec(text); hit; hit = ANY_KEYWORD.exec(text)) {
    ANY_KEYWORD.lastIndex = hit.index + 1;
    for (const rule of rulesAt(hit[0])) {
      if (hit.index < (ends?.get(rule) ?? 0)) continue;
      const match = matchAt(text, hit.index, rule);
      if (!match) continue;
      ends = (ends ?? new Map<Rule, number>()).set(rule, match.end);
      if (match.isSecret) found.push({ rule: rule.id, start: match.start, end: match.end });
    }
  }
  for (const pattern of own) for (const one of findOwn(text, pattern)) found.push(one);
  return found;
}

type Match = { start: number; end: number; isSecret: boolean };

/** Null where a match may begin inside of what was examined before. */
function matchAt(text: string, at: number, rule: Rule): Match | null {
  const before = text.slice(Math.max(0, at - MAX_LEFT), at);
  const left = rule.left.exec(before);
  if (!left || (rule.ahead && !standsHere(rule.ahead, text, at))) return null;
  const match = rule.pattern().matcher(text.slice(at, at + MAX_TRIED));
  if (!match.lookingAt())
    return (
      (rule.mayWrap ? brokenToken(text, at, rule) : null) ?? (rule.distinct ? cutToken(text, at, rule) : null)
    );
  let group = match.groupCount();
  while (group > 0 && match.start(group) === -1) group -= 1;
  const start = group === 0 ? at - left[0].length : at + match.start(group);
  const isOpen = rule.endOf !== null && group === match.groupCount();
  let end = isOpen ? (rule.endOf?.(text, at, start) ?? start) : at + match.end(group);
  if (!rule.check(text.slice(start, end)))
    return rule.isWhole || end - start > MAX_RETRIED ? { start, end, isSecret: false } : null;
  // What has the form and goes on in the same letters is a later form of it.
  if (!rule.personal && /\w/.test(text[end - 1] ?? "")) end += matchLength(MORE, text, end);
  return { start, end, isSecret: true };
}

/** A token that a terminal broke into lines. It continues as long as the lines are as wide as its first one. */
function brokenToken(text: string, at: number, rule: Rule): Match | null {
  const run = (from: number) =>
    text.slice(from, from + matchLength(CUT_TOKEN, text.slice(from, from + MAX_CUT), 0));
  let token = run(at);
  let end = at + token.length;
  const keyword = rule.keywords.find((one) => text.startsWith(one, at)) ?? "";
  const width = end - lineStart(text, at);
  let isFound = false;
  for (
    let line = 1;
    token.length - keyword.length >= MIN_BROKEN && line < (isFound ? MAX_LINES : MAX_BROKEN);
    line++
  ) {
    const next = end + matchLength(BREAK, text, end);
    const part = next === end ? "" : run(next);
    if (part === "" || (isFound && end - lineStart(text, end) < width)) break;
    const match = isFound ? null : rule.pattern().matcher(token + part);
    if (match?.lookingAt()) {
      isFound = true;
      const rest = part.slice(match.end() - token.length);
      token += part.slice(0, part.length - rest.length);
      end = next + part.length - rest.length;
      if (rest === "") continue;
      break;
    }
    token += part;
    end = next + part.length;
  }
  return isFound && rule.check(token) ? { start: at, end, isSecret: true } : null;
}

function lineStart(text: string, at: number): number {
  return text.slice(Math.max(0, at - MAX_CUT), at).lastIndexOf("\n") + 1 + Math.max(0, at - MAX_CUT);
}

/** A token at the end of its text, or one followed by a sign that it was cut. */
function cutToken(text: string, at: number, rule: Rule): Match | null {
  const value = text
    .slice(at, at + matchLength(CUT_TOKEN, text.slice(at, at + MAX_CUT), 0))
    .replace(/\.+$/, "");
  const keyword = rule.keywords.find((one) => text.startsWith(one, at)) ?? "";
  CUT_HERE.lastIndex = at + value.length;
  if (value.length - keyword.length < MIN_CUT || !CUT_HERE.test(text)) return null;
  return looksRandom(value.slice(keyword.length))
    ? { start: at, end: at + value.length, isSecret: true }
    : null;
}

function findOwn(text: string, pattern: RE2JS): Secret[] {
  const found: Secret[] = [];
  const match = pattern.matcher(text);
  while (match.find())
    if (match.end() > match.start()) found.push({ rule: "own", start: match.start(), end: match.end() });
  return found;
}

/** Overlapping secrets are merged into one, named by the narrowest of their kinds. */
function withoutOverlaps(text: string, found: FoundSecret[]): FoundSecret[] {
  const order = ({ rule }: Secret) => ORDER.get(rule) ?? ORDER.size;
  found.sort((a, b) => a.start - b.start || order(a) - order(b) || b.end - a.end);
  const kept: FoundSecret[] = [];
  for (const one of found) {
    const last = kept.at(-1);
    if (!last || one.start >= last.end) {
      kept.push(one);
      continue;
    }
    // The host after a password is no e-mail address.
    if (isPersonal(one.rule) && !isPersonal(last.rule)) continue;
    const first = order(one) < order(last) ? one : last;
    const end = Math.max(one.end, last.end);
    const whole = first.start === last.start && first.end === end ? first : null;
    kept[kept.length - 1] = whole ?? {
      ...{ rule: first.rule, start: last.start, end },
      value: last.start <= one.start && last.end >= one.end ? last.value : text.slice(last.start, end),
    };
  }
  return kept;
}

function standsHere(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
