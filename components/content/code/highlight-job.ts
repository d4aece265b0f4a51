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

/** Names and endings that people and files use, by the grammar they mean. */
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

/** The grammar for a fence's language (`ts`, `Python`); `null` for none that we load. */
export function languageOfName(name: string): string | null {
  return ALIASES.get(name.toLowerCase()) ?? null;
}

/** The grammar for a file's path, by its ending or its whole name. */
export function languageOfPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return ALIASES.get(name) ?? ALIASES.get(name.slice(name.lastIndexOf(".") + 1)) ?? null;
}
