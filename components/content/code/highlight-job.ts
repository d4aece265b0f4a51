/** What a stretch of code is, in the order of `TOKEN_KINDS`; drawn with a class per kind. */
export const TOKEN_KINDS = [
  "plain",
  "keyword",
  "string",
  "function",
  "constant",
  "comment",
  "parameter",
  "punctuation",
  "link",
] as const;

/** A line of code as pairs: length in characters, index in `TOKEN_KINDS`. */
export type LineSpans = number[];

export type HighlightRequest = { id: number; code: string; language: string };

/** `started` comes before the work, so that the page can end a worker that does not come back. */
export type HighlightReply =
  | { id: number; kind: "started" }
  | { id: number; kind: "done"; lines: LineSpans[] };

/** Longer blocks stay plain beyond this line, longer lines wholly. */
export const HIGHLIGHT_LIMITS = { lines: 2_000, lineCharacters: 1_000, budgetMs: 200, killMs: 1_500 };
