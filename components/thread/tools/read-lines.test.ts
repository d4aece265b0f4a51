import { describe, expect, it } from "vitest";
import { type CallDetail, MAX_FIELD } from "@/lib/wire/record";
import type { CutText } from "@/lib/wire/rows";
import { readLines } from "./read-lines";

const LINES = Array.from({ length: 9_000 }, (_, index) => `const value${index} = ${index};`);
const FILE = LINES.join("\n");

/** A Read as it is sent to the page: its structured copy cut, the numbered lines whole or cut. */
function read({ content, sent }: { content: string | null; sent: CutText }): CallDetail {
  const structured =
    content === null
      ? null
      : { file: { content: content.slice(0, MAX_FIELD), startLine: 1, numLines: 9_000 } };
  return { results: [{ structured, blocks: [{ kind: "text", text: sent }] }] } as unknown as CallDetail;
}

const numbered = (lines: readonly string[]) => lines.map((line, at) => `${at + 1}\t${line}`).join("\n");
const whole = (text: string): CutText => ({ text, cut: false, length: text.length });

describe("readLines", () => {
  it("shows all of a long file that was read, though the client's copy is cut on its way here", () => {
    expect(FILE.length).toBeGreaterThan(MAX_FIELD);
    const sent = whole(`${numbered(LINES)}\n\n<system-reminder>\nno line of it\n</system-reminder>`);
    expect(readLines(read({ content: FILE, sent }))).toEqual({ text: FILE, firstLine: 1, isWhole: true });
  });

  it("says where not all of it can be shown", () => {
    const sent = { text: "no numbered lines", cut: false, length: 17 };
    expect(readLines(read({ content: FILE, sent }))).toMatchObject({ firstLine: 1, isWhole: false });
    const cut = { text: numbered(LINES.slice(0, 100)), cut: true, length: 1_000_000 };
    expect(readLines(read({ content: null, sent: cut }))).toMatchObject({ isWhole: false });
  });

  it("prefers the client's copy where that is whole: the lines as sent may be cut each", () => {
    const sent = whole(numbered(["a", "b"]));
    expect(readLines(read({ content: "a\nb\n", sent }))).toEqual({
      text: "a\nb\n",
      firstLine: 1,
      isWhole: true,
    });
  });
});
