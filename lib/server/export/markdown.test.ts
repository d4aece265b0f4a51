import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { parseMarkdown } from "@/lib/markup/parse-markdown";
import { runs, seededRandom } from "@/lib/testing/runs";
import type { RecordId } from "@/lib/wire/ids";
import type { Row, ToolRow } from "@/lib/wire/rows";
import { rowToMarkdown } from "./markdown";

const base = {
  key: "m~0.0",
  recordId: "m~0" as RecordId,
  block: 0,
  turn: 1,
  atMs: null,
  span: null,
  durationMs: null,
};

const call = (subject: string): Row => ({
  ...base,
  kind: "tool",
  toolUseId: null,
  name: "Bash",
  server: null,
  subject,
  aside: null,
  state: "ok",
  result: "2 lines",
  added: null,
  removed: null,
  agent: null,
  cleared: false,
  blobs: [],
});

const thinking = (text: string): Row => ({
  ...base,
  kind: "thinking",
  text: { text, cut: false, length: text.length },
  redacted: false,
});

const answer = (text: string): Row => ({
  ...base,
  kind: "text",
  text: { text, cut: false, length: text.length },
  model: null,
  messageId: null,
  tokens: null,
  usage: null,
});

test("a subject is one piece of code, whatever backticks it has", () => {
  expect(rowToMarkdown(call("npm test"))).toBe("- **Bash** `npm test` — 2 lines\n\n");
  expect(rowToMarkdown(call("echo `date`"))).toBe("- **Bash** `` echo `date` `` — 2 lines\n\n");
  expect(rowToMarkdown(call("grep '``'"))).toBe("- **Bash** ``` grep '``' ``` — 2 lines\n\n");
});

test("an arrow leads to an answer by itself, and a call without a result says why", () => {
  const written = (more: Partial<ToolRow>) =>
    rowToMarkdown({ ...call("Which?"), name: "AskUserQuestion", ...more } as ToolRow).trim();
  const asked = "- **AskUserQuestion** `Which?`";
  expect(written({ aside: "→ A key", result: "answered" })).toBe(`${asked} → A key · answered`);
  for (const state of ["running", "no-result", "interrupted"] as const)
    expect(written({ state, result: null })).toBe(`${asked} — not answered`);
  expect(written({ state: "denied", result: null })).toBe(`${asked} — denied`);
  expect(written({ name: "Bash", state: "running", result: null })).toBe(
    "- **Bash** `Which?` — no result yet",
  );
  expect(written({ name: "Bash", state: "ok", result: null })).toBe("- **Bash** `Which?`");
});

test("text beside a subject is no markup, and on one line", () => {
  const written = (more: Partial<ToolRow>) => rowToMarkdown({ ...call("ls"), ...more } as ToolRow);
  expect(written({ aside: "in src/**/__tests__" })).toBe(
    "- **Bash** `ls` — in src/\\*\\*/\\_\\_tests\\_\\_ · 2 lines\n\n",
  );
  expect(written({ result: "<!-- <b>1</b> & [x](y)" })).toBe(
    "- **Bash** `ls` — \\<!-- \\<b>1\\</b> \\& \\[x\\](y)\n\n",
  );
  const skill = written({ aside: "Do this:\n\n```\nnpm test\n", subject: "write\n\n- a" });
  const [list, ...rest] = new MarkdownIt("commonmark")
    .parse(`${skill}What follows`, {})
    .filter(({ level, nesting }) => level === 0 && nesting >= 0);
  expect([list, ...rest].map((one) => one?.type)).toEqual(["bullet_list_open", "paragraph_open"]);
  expect(new MarkdownIt("commonmark").render(skill)).toContain(
    "<code>write - a</code> — Do this: ``` npm test · 2 lines",
  );
});

test("a folded text has its name on one line", () => {
  const text = { text: "said", cut: false, length: 4 };
  const returned = { ...base, kind: "event", event: "hook", level: "info", label: "a\n\n# b", text } as const;
  expect(rowToMarkdown(returned)).toMatch(/^<details><summary>a # b<\/summary>/);
});

test("a folded text cannot end its own fence", () => {
  const shown = rowToMarkdown(thinking("````\nls\n````"));
  expect(shown).toContain("\n`````text\n````\nls\n````\n`````\n");
});

test.each([
  ["a block of code", "It is:\n\n```js\nconst a = 1;", "```"],
  ["one whose fence is longer than that in it", "`````md\n```js\na\n```\n", "`````"],
  ["one with tildes", "~~~~\na\n~~~", "~~~~"],
  ["one whose fence is indented and names a file", "  ``` js title=a.js\na", "```"],
  ["one whose end has words behind it", "```\na\n``` end", "```"],
  ["one that a carriage return alone seems to end", "```\na\r```", "```"],
  ["a comment", "Now:\n\n<!-- to do", "-->"],
  ["a tag that takes all text as it is", "<pre>\n\na", "</pre>"],
  ["a style", "<STYLE media=all>\n", "</STYLE>"],
  ["an instruction", "<?php\n\necho 1;", "?>"],
  ["a declaration", "<!DOCTYPE html", ">"],
  ["a section of characters", "<![CDATA[\na", "]]>"],
])("an answer that was cut off in %s does not affect what follows", (_, text, end) => {
  const shown = rowToMarkdown(answer(text));
  expect(shown.endsWith(`\n${end}\n\n`)).toBe(true);
  expect(parseMarkdown(`${shown}## Next`).at(-1)).toMatchObject({ kind: "heading" });
});

test.each([
  ["a block of code that is closed", "```js\na\n```"],
  ["one closed by a longer fence", "```\na\n`````  "],
  ["two, one after the other", "```\na\n```\n~~~\nb\n~~~\nDone"],
  ["one in a list, which ends with the list", "1. Do this:\n   ```js\n   a"],
  ["one in a quote", "> ```\n> a"],
  ["backticks inside of a line", "Use ``` as a fence, or ```js here``` or <!-- so"],
  ["an indented block", "Text:\n\n    ```\n    a"],
  ["what a carriage return alone seems to open", "a\r```"],
  ["a comment that is closed", "<!-- a\n\nb --> and on"],
  ["a tag that ends with the next empty line", "<details><summary>a</summary>"],
  ["words that begin like one", "<prefix>\n<presto>"],
])("an answer is left as it is with %s", (_, text) => {
  expect(rowToMarkdown(answer(text))).toBe(`${text.replace("\r", "␍")}\n\n`);
});

test("the text after an answer is read as Markdown, however the answer ends", () => {
  const pieces = [
    "```",
    "````js",
    "~~~",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "- a",
    "  ",
    "> ",
    "    ",
    "text",
    "1. ",
    "",
    "\t",
  ];
  const next = seededRandom(7);
  const reader = new MarkdownIt("commonmark");
  for (let round = 0; round < runs(1_000, 100_000); round++) {
    const lines = Array.from({ length: 1 + next(6) }, () =>
      Array.from({ length: 1 + next(3) }, () => pieces[next(pieces.length)]).join(""),
    );
    const shown = rowToMarkdown(answer(lines.join("\n")));
    const last = reader.parse(`${shown}## Next`, {}).at(-1);
    expect(`${JSON.stringify(lines)} ${last?.type}`).toBe(`${JSON.stringify(lines)} heading_close`);
  }
});

test("a turn says when it began and how long it took, unless only a part of it is there", () => {
  const atMs = new Date(2026, 10, 19, 9, 24, 7).getTime();
  const prompt = { text: "Go on", cut: false, length: 5 };
  const turn = { ...base, kind: "turn", source: "typed", prompt, atMs, durationMs: 11_000 } as unknown as Row;
  expect(rowToMarkdown(turn)).toBe("## 1. Go on\n\n_Thu 19 Nov 2026, 09:24:07 · 11 s_\n\n> Go on\n\n");
  expect(rowToMarkdown({ ...turn, partial: true } as Row)).toContain("\n_Thu 19 Nov 2026, 09:24:07_\n");
  expect(rowToMarkdown({ ...turn, atMs: null, durationMs: null })).toBe("## 1. Go on\n\n> Go on\n\n");
  expect(rowToMarkdown({ ...turn, atMs: null, takenBack: true } as Row)).toContain("\n_taken back · 11 s_\n");
});
