import { parseAmount, parseMoment } from "./values";

/** A filter of the query language: `name:value`. */
type FilterEntry = {
  /** What it narrows to, in a few words: for completion and help. */
  does: string;
  /** A value that it takes, for its error message. */
  example: string;
  /** Values to offer. With `only` no others are accepted. Further values come from this machine's sessions. */
  values: readonly string[];
  only?: true;
  /** Further values that it takes with `only`, which make sense in some places, and are offered there alone. */
  placed?: readonly string[];
  /** A further check of a value: null if it passes, else the error to show after the filter's name. */
  check?: (value: string) => string | null;
  /**
   * What it can distinguish: `texts` the texts of a session, `sessions` whole sessions with all their texts, `both`
   * either. A search asks for texts, the library for sessions.
   */
  appliesTo: "texts" | "sessions" | "both";
};

const AGES = ["1d", "7d", "30d", "2026-01-01"];

function checkMoment(value: string): string | null {
  return parseMoment(value, 0) === null ? "needs a date or an age, such as 2026-03-01 or 7d" : null;
}

function checkAmount(value: string): string | null {
  return parseAmount(value) === null ? "needs a number, such as >5k or <=200" : null;
}

function checkHash(value: string): string | null {
  return /^[0-9a-f]{4,40}$/i.test(value) ? null : "needs 4 or more hex digits of a hash, such as 1a2b3c4";
}

function checkSession(value: string): string | null {
  return /^[\w.~-]{8,200}$/.test(value) ? null : "needs 8 or more characters of a session’s id";
}

/**
 * Every filter, in the order in which they are offered. How the server tests one is the entry of the same name in
 * lib/server/search/filter-matchers.ts; README's table has a line for each.
 */
export const FILTERS = {
  in: {
    does: "which part of a session, or a project",
    example: "prompt",
    // Every field that a hit may name, and agents' threads.
    values: [
      ...["prompt", "text", "thinking", "input", "output", "returned", "agent", "title"],
      ...["command", "attachment", "meta", "raw"],
    ],
    placed: ["this-session"],
    only: true,
    appliesTo: "texts",
  },
  tool: {
    does: "input and output of a tool",
    example: "Bash",
    // The page offers the names in lib/tools, which the query language does not know.
    values: ["mcp__*"],
    appliesTo: "both",
  },
  is: {
    does: "state of a call, a text or a session",
    example: "error",
    values: ["error", "denied", "running", "abandoned", "compacted", "unanswered", "starred", "hidden"],
    only: true,
    appliesTo: "both",
  },
  has: {
    does: "sessions that contain",
    example: "diff",
    values: ["image", "diff", "compaction", "note", "bookmark", "comment"],
    only: true,
    appliesTo: "sessions",
  },
  tag: { does: "one of your tags, with *", example: "retry", values: [], appliesTo: "sessions" },
  file: { does: "a file path, with * and **", example: "src/**", values: [], appliesTo: "both" },
  commit: {
    does: "sessions that made or pushed a commit",
    example: "1a2b3c4",
    values: [],
    check: checkHash,
    appliesTo: "sessions",
  },
  pr: {
    does: "sessions with a pull request: its number, owner/name#12 or address",
    example: "12",
    values: [],
    appliesTo: "sessions",
  },
  session: {
    does: "one session, by its id or 8 or more characters of its beginning",
    example: "1a2b3c4d",
    values: [],
    check: checkSession,
    appliesTo: "sessions",
  },
  project: { does: "a project’s name or path", example: "shop", values: [], appliesTo: "sessions" },
  branch: { does: "a git branch, with *", example: "feat/*", values: [], appliesTo: "sessions" },
  model: { does: "part of a model name", example: "opus", values: [], appliesTo: "sessions" },
  agent: {
    does: "agents of this type",
    example: "Explore",
    values: ["Explore", "Plan", "general-purpose"],
    appliesTo: "both",
  },
  after: {
    does: "since a date or age",
    example: "7d",
    values: AGES,
    check: checkMoment,
    appliesTo: "both",
  },
  before: {
    does: "before a date or age",
    example: "2026-03-01",
    values: AGES,
    check: checkMoment,
    appliesTo: "both",
  },
  tokens: {
    does: "total tokens of a session",
    example: ">5k",
    values: [">5k", ">50k", "<1k"],
    check: checkAmount,
    appliesTo: "sessions",
  },
  cost: {
    does: "dollars of a session, at the API’s prices",
    example: ">5",
    values: [">1", ">5", "<0.1"],
    check: checkAmount,
    appliesTo: "sessions",
  },
  storage: {
    does: "deleted but kept (archive), kept (both), or not kept (logs)",
    example: "archive",
    values: ["archive", "both", "logs"],
    only: true,
    appliesTo: "sessions",
  },
} as const satisfies Record<string, FilterEntry>;

export type FilterName = keyof typeof FILTERS;

/** Filters that can distinguish texts, sessions or both. */
export type FilterOf<Applies extends FilterEntry["appliesTo"]> = {
  [Name in FilterName]: (typeof FILTERS)[Name]["appliesTo"] extends Applies ? Name : never;
}[FilterName];

/** A filter as a query names it. */
export type Filter = { name: FilterName; value: string };

export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

/** What help and completion say about a filter. */
export function filterEntry(name: FilterName): FilterEntry {
  return FILTERS[name];
}

/** The filter of this name in any case, or null: `http://…` has a colon as well. */
export function findFilter(name: string): FilterName | null {
  const wanted = name.toLowerCase();
  return FILTER_NAMES.find((one) => one === wanted) ?? null;
}

/**
 * A filter as it is meant: `in:` takes the name of a project as well, as `project:` does. What is a place in a session but
 * for one letter is taken for a slip, and stays an error.
 */
export function meantFilter(filter: Filter): Filter {
  const { name, value } = filter;
  if (name !== "in" || value === "") return filter;
  const { values, placed = [] } = filterEntry("in");
  const isPlace = [...values, ...placed].some((place) => isNearly(value.toLowerCase(), place));
  return isPlace ? filter : { name: "project", value };
}

/** Whether two words are the same but for one letter that is another, too many, missing, or has changed places. */
function isNearly(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let from = 0;
  while (from < word.length && word[from] === other[from]) from += 1;
  const [left, right] = [word.slice(from), other.slice(from)];
  if (left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1)) return true;
  return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
}

/** The error in a filter's value, as a message; null if there is none. */
export function checkFilter({ name, value }: Filter): string | null {
  const { example, values, only, placed = [], check } = filterEntry(name);
  if (value === "") return `${name}: needs a value, such as ${name}:${example}`;
  const wrong =
    only && ![...values, ...placed].includes(value.toLowerCase())
      ? `needs one of ${values.join(", ")}${name === "in" ? ", or the name of a project" : ""}`
      : check?.(value);
  return wrong ? `${name}: ${wrong}` : null;
}
