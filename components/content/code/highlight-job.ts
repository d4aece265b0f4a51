import { splitPath } from "@/lib/format/text";

/** The kinds of tokens. Spans refer to them by index; each kind has its own class. */
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

/** A line of code as pairs of numbers: a length in characters and an index in `TOKEN_KINDS`. */
export type LineSpans = ArrayLike<number>;

export type HighlightRequest = { id: number; code: string; language: string };

/** `started` is sent before the work begins, so that the page can terminate a worker that hangs. */
export type HighlightReply =
  | { id: number; kind: "started" }
  | { id: number; kind: "done"; spans: PackedSpans };

/** The spans of all lines as they cross threads, moved and not copied. `ends`: where those of each line end in `all`. */
export type PackedSpans = { all: Int32Array<ArrayBuffer>; ends: Int32Array<ArrayBuffer> };

/** The spans of each line, ready to be moved to another thread. */
export function packSpans(lines: readonly (readonly number[])[]): PackedSpans {
  let end = 0;
  const ends = Int32Array.from(lines, (spans) => (end += spans.length));
  return { all: Int32Array.from(lines.flat()), ends };
}

/** The inverse of `packSpans`; each line has a view of the same array. */
export function unpackSpans({ all, ends }: PackedSpans): LineSpans[] {
  return Array.from(ends, (end, line) => all.subarray(ends[line - 1] ?? 0, end));
}

/**
 * Lines past `lines` stay plain, and so do lines longer than `lineCharacters`, and what is not done within `budgetMs`. No
 * line is tried again after `patienceMs`; a worker that has not answered after `killMs` hangs, or after `beginningMs` where
 * it has done nothing in that language yet: on a busy machine a grammar takes seconds to begin (WebKit 2.50: 1.9 s), and
 * with its worker all that it has compiled would be lost, each time again.
 */
export const HIGHLIGHT_LIMITS = {
  lines: 2_000,
  lineCharacters: 1_000,
  budgetMs: 200,
  patienceMs: 800,
  killMs: 1_500,
  beginningMs: 10_000,
};

/** Language names and file extensions in common use, with the grammar each refers to. */
const ALIASES = new Map(
  Object.entries({
    bash: "sh shell zsh ksh console shellscript bats",
    c: "h",
    cpp: "cc cxx c++ hpp hh hxx",
    csharp: "cs c#",
    css: "",
    diff: "patch",
    docker: "dockerfile",
    go: "golang",
    html: "htm",
    ini: "conf cfg properties env editorconfig gitconfig",
    java: "",
    javascript: "js mjs cjs",
    json: "jsonc json5 jsonl ipynb webmanifest",
    jsx: "",
    kotlin: "kt kts",
    lua: "",
    make: "makefile mk",
    markdown: "md mdx",
    php: "",
    python: "py pyi pyw python3",
    ruby: "rb gemfile rakefile",
    rust: "rs",
    scss: "sass",
    sql: "psql",
    swift: "",
    toml: "",
    tsx: "",
    typescript: "ts mts cts",
    vue: "",
    xml: "svg xsd plist",
    yaml: "yml",
  }).flatMap(([grammar, names]) =>
    [grammar, ...names.split(" ").filter(Boolean)].map((name) => [name, grammar]),
  ),
);

/** The grammar for a fence's language (`ts`, `Python`); `null` if none is available. */
export function languageOfName(name: string): string | null {
  return ALIASES.get(name.toLowerCase()) ?? null;
}

/** The grammar for a file path, chosen by extension or by file name. */
export function languageOfPath(path: string): string | null {
  const name = splitPath(path).name.toLowerCase();
  return ALIASES.get(name) ?? ALIASES.get(name.slice(name.lastIndexOf(".") + 1)) ?? null;
}
