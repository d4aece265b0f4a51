import { expect, test } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
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

test("a subject is one piece of code, whatever backticks it has", () => {
  expect(rowToMarkdown(call("npm test"))).toBe("- **Bash** `npm test` — 2 lines\n\n");
  expect(rowToMarkdown(call("echo `date`"))).toBe("- **Bash** `` echo `date` `` — 2 lines\n\n");
  expect(rowToMarkdown(call("grep '``'"))).toBe("- **Bash** ``` grep '``' ``` — 2 lines\n\n");
});

test("a folded text cannot end its own fence", () => {
  const shown = rowToMarkdown(thinking("````\nls\n````"));
  expect(shown).toContain("\n`````text\n````\nls\n````\n`````\n");
});
