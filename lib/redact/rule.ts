import { RE2JS } from "re2js";
import { type BareContext, endOfBareValue, headOf, MAX_WORD } from "./bare-values";
import { notExample } from "./looks";

/** The text that a rule is tried on. A longer secret is found by its beginning, and ends where its letters end. */
export const MAX_TRIED = 8192;

/** A secret in a text, from `start` to before `end`. */
export type Secret = { rule: string; start: number; end: number };

/** A secret with its value: the same value is written in different ways where a text is coloured or escaped. */
export type FoundSecret = Secret & { value: string };

/**
 * One kind of secret. `keywords` are looked for first, all in one pass; where one stands, `pattern` is tried there and
 * nowhere else. The secret is the group that matched, or all of it.
 */
export type Rule = {
  id: string;
  name: string;
  keywords: readonly string[];
  /** Compiled when it is first needed. */
  pattern(): RE2JS;
  /** What must precede the keyword; what it matches is part of the secret. Tried on 100 characters at most. */
  left: RegExp;
  /**
   * What must follow from the keyword on, where that is so common that trying the pattern takes long. Sticky, and
   * bounded: it is only the pattern's beginning.
   */
  ahead: RegExp | null;
  /** Where the value ends that begins with the pattern's last group, in a text with the keyword at `at`. */
  endOf: ((text: string, at: number, start: number) => number) | null;
  /** Distinguishes random values from code and examples, where prefix and length do not. */
  check: (value: string) => boolean;
  /** It names a person instead of opening something: not listed among the secrets of a log. */
  personal: boolean;
  /** Its prefix alone identifies it, so one that was cut after the prefix is recognized too. */
  distinct: boolean;
  /** Its check examines everything that the pattern matched: what fails there is not tried again from inside. */
  isWhole: boolean;
  /** Long enough to be copied from a terminal that broke it into lines. */
  mayWrap: boolean;
};

type Options = Partial<Pick<Rule, "left" | "ahead" | "endOf" | "check">> & {
  personal?: true;
  mayWrap?: true;
  isWhole?: true;
};

/** Not after a letter or a digit, except those of a `%20`. */
const WORD_BEGINS = /(?<![A-Za-z0-9]|%[0-9A-Fa-f]?)$|(?<=%[0-9A-Fa-f]{2})$/;
export const ANYWHERE = /$/;
/** Keywords followed by a blank. */
const BEFORE_BLANK = new Set(["earer", "asic", "-b", "login", "Private-Lines:", "net", "rar", "Key", "pass"]);
/** Prefixes that names in code also begin with. */
const WORDS = new Set(["key-", "pat_", "secret_", "npm_", "napi_", "rnd_"]);
/** Values may be aligned with others, as `terraform fmt` and `heroku config` do. */
const GAP = "[ \\t]*\\s{0,4}";
/** Between a name and its value: `: `, `=`, `": `, `'] = `, ` => `; then perhaps a quote. */
export const SET = `["'\`]?\\]?${GAP}(?:=>|:=|=|:)${GAP}`;
export const IS = `${SET}["'\`]?`;

/** As in `<add key="Password" value="…">` and `- name: DB_PASSWORD`, `value: …`. */
export const ITS_VALUE = `["'\`]?,?\\s{0,40}["']?[Vv]alue["']?\\s{0,2}[:=]\\s{0,2}`;

/** Between a name in source and what is taken where it has no value: `process.env.DB_PW || `, `get("DB_PW") or `. */
export const OR_ELSE = `["'\`]?\\]?\\)?(?:\\s{0,4}[=:]\\s{0,4}[\\w.$"'()[\\]]{1,80})?\\s{1,4}(?:\\|\\||\\?\\?|or)\\s{1,4}`;

/** So many characters in quotes, with escapes among them. */
export const quoted = (least: number) =>
  `"((?:[^"\\\\\\r\\n]|\\\\[^\\r\\n]){${least},})"|'((?:[^'\\\\\\r\\n]|\\\\[^\\r\\n]){${least},})'`;

/** The beginning of a value without quotes. */
export const BARE = `([^\\s"'\`\\\\])`;

/** In quotes, or the beginning of a value without quotes. */
export const quotedOrBare = (least: number) => `(?:${quoted(least)}|["'\`]?${BARE})`;

/** The next name with its sign, where a name has no value on its own line: `DB_PASSWORD=`, `DB_HOST=db1`. */
const NEXT_LINES_NAME = /[A-Za-z_][\w.-]{0,80}=/y;

function isNextLinesName(text: string, at: number, start: number): boolean {
  NEXT_LINES_NAME.lastIndex = start;
  return NEXT_LINES_NAME.test(text) && text.slice(at, start).includes("\n");
}

/** Where a value without quotes ends after its name; `start` for what is no value. */
export function bareEnd(text: string, at: number, start: number): number {
  if (isNextLinesName(text, at, start)) return start;
  return endOfBareValue(text, start, contextOf(text, at, start));
}

/**
 * Where a value without quotes ends after a name that also occurs in code, where a value with signs in it can only be a
 * setting's; `start` for what is no value.
 */
export function settingEnd(text: string, at: number, start: number): number {
  if (isNextLinesName(text, at, start)) return start;
  const context = contextOf(text, at, start);
  if (context === "setting") return endOfBareValue(text, start, context);
  return start + headOf(text.slice(start, start + MAX_WORD)).length;
}

function contextOf(text: string, at: number, start: number): BareContext {
  const name = /[?&]?[\w.%[\]-]*$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? "";
  if (/^[?&]/.test(name)) return "query";
  return /^[A-Z][A-Z0-9_]*=$/.test(name + text.slice(at, start)) ? "setting" : "other";
}

/**
 * Makes a kind of secret. Its pattern is compiled when it is first tried.
 * @param keywords separated by blanks
 * @param source of the pattern, in RE2's syntax
 */
export function rule(
  id: string,
  name: string,
  keywords: string,
  source: string,
  {
    left = WORD_BEGINS,
    ahead = null,
    endOf = null,
    check = notExample,
    personal,
    mayWrap,
    isWhole,
  }: Options = {},
): Rule {
  const words = keywords.split(" ").map((word) => (BEFORE_BLANK.has(word) ? `${word} ` : word));
  let compiled: RE2JS | null = null;
  const distinct = left === WORD_BEGINS && words.every((word) => /.{3}[_.-]$/.test(word) && !WORDS.has(word));
  return {
    ...{ id, name, keywords: words, left, ahead, endOf, check, personal: personal === true },
    pattern: () => (compiled ??= RE2JS.compile(source)),
    ...{ distinct, mayWrap: mayWrap ?? distinct, isWhole: isWhole === true },
  };
}

/** Finds all places of any of these texts; where several begin at one place, the first of the list that does. */
export function anyOf(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[$.*+?^()[\]{}|\\/-]/g, "\\$&")).join("|"), "g");
}
