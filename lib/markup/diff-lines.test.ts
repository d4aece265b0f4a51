import { describe, expect, it } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { type DiffLine, diffLines, sideTexts, splitRows, wordMarks } from "./diff-lines";

const HUNK = {
  oldStart: 38,
  oldLines: 3,
  newStart: 38,
  newLines: 4,
  lines: [
    " start(op) {",
    "-  const started = Date.now();",
    "+  const started = clock.now();",
    "+  const random = Math.random;",
    " }",
  ],
};

function spell(line: DiffLine): string {
  if (line.kind === "gap") return `… ${line.count} from ${line.oldLine}/${line.newLine}`;
  if (!("sideLine" in line)) return line.text;
  let { text } = line;
  const { pair, kind } = line;
  const marks =
    pair === null ? [] : kind === "removed" ? wordMarks(text, pair).removed : wordMarks(pair, text).added;
  for (const { from, to } of [...marks].reverse())
    text = `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
  return `${line.oldLine ?? "·"} ${line.newLine ?? "·"} ${{ context: " ", added: "+", removed: "-" }[kind]}${text}`;
}

describe("a diff", () => {
  it("numbers both sides and marks words in changed lines only", () => {
    expect(diffLines([HUNK], { numbersKnown: true }).map(spell)).toEqual([
      "@@ 38,4 @@",
      "38 38  start(op) {",
      "39 · -  const started = [Date].now();",
      "· 39 +  const started = [clock].now();",
      "· 40 +  const random = Math.random;",
      "40 41  }",
    ]);
  });

  it("lists the gaps around the hunks if the log has the original", () => {
    const far = { ...HUNK, oldStart: 60, newStart: 61 };
    expect(
      diffLines([HUNK, far], { numbersKnown: true, originalLines: 100 })
        .filter(({ kind }) => kind === "gap")
        .map(spell),
    ).toEqual(["… 37 from 1/1", "… 19 from 41/42", "… 38 from 63/65"]);
  });

  it("pairs a file's last line with the one that replaced it, whether or not they end with a newline", () => {
    const note = "\\ No newline at end of file";
    const of = (lines: string[], ignoreSpace = false) =>
      diffLines([{ ...HUNK, lines }], { numbersKnown: false, ignoreSpace }).map(spell);
    expect(of(["-a b c", note, "+a b d", note])).toEqual([
      "· · -a b [c]",
      "No newline at end of file",
      "· · +a b [d]",
      "No newline at end of file",
    ]);
    expect(of(["-a b", note, "+a  b", note], true)).toEqual(["· ·  a  b", "No newline at end of file"]);
    expect(of(["-a b", note, "+a b"], true)).toEqual(["· ·  a b"]);
    expect(of(["-a b", note, "+a c"], true)).toEqual([
      "· · -a [b]",
      "No newline at end of file",
      "· · +a [c]",
    ]);
    const rows = splitRows(diffLines([{ ...HUNK, lines: ["-a", note, "+b"] }], { numbersKnown: false }));
    expect(rows.map((row) => (row.kind === "pair" ? [row.before?.text, row.after?.text] : row.line))).toEqual(
      [["a", "b"], { kind: "note", text: "No newline at end of file" }],
    );
  });

  it("has no numbers when it was made from a call's input", () => {
    expect(
      diffLines([{ ...HUNK, lines: ["-a b c", "+a b d", "\\ No newline at end of file"] }], {
        numbersKnown: false,
        originalLines: 90,
      }).map(spell),
    ).toEqual(["· · -a b [c]", "· · +a b [d]", "No newline at end of file"]);
  });

  it("marks nothing in lines with little in common", () => {
    const lines = ["-export function retry() {", "+# notes on the weather today"];
    expect(diffLines([{ ...HUNK, lines }], { numbersKnown: false }).map(spell)).toEqual([
      "· · -export function retry() {",
      "· · +# notes on the weather today",
    ]);
  });

  it("ignores whitespace changes on request", () => {
    const lines = ["-if (a)", "-  b();", "+if (a) {", "+    b();", "+}"];
    expect(diffLines([{ ...HUNK, lines }], { numbersKnown: true, ignoreSpace: true }).map(spell)).toEqual([
      "@@ 38,4 @@",
      "38 · -if (a)",
      "· 38 +if (a)[ {]",
      "39 39      b();",
      "· 40 +}",
    ]);
  });

  it("is shown side by side", () => {
    const rows = splitRows(diffLines([HUNK], { numbersKnown: true })).map((row) =>
      row.kind === "across"
        ? spell(row.line)
        : `${row.before?.text.trim() ?? "-"} | ${row.after?.text.trim() ?? "-"}`,
    );
    expect(rows).toEqual([
      "@@ 38,4 @@",
      "start(op) { | start(op) {",
      "const started = Date.now(); | const started = clock.now();",
      "- | const random = Math.random;",
      "} | }",
    ]);
  });

  it("keeps each side's text for its syntax", () => {
    const { before, after } = sideTexts([HUNK]);
    expect(before.split("\n")).toHaveLength(3);
    for (const line of diffLines([HUNK], { numbersKnown: true })) {
      if (!("sideLine" in line)) continue;
      expect((line.kind === "removed" ? before : after).split("\n")[line.sideLine]).toBe(line.text);
    }
  });

  it("takes time in proportion to the length and the number of lines", () => {
    const long = (length: number) => {
      const text = "x ".repeat(length);
      // With blanks looked at: only to take the line over costs too little to be measured.
      diffLines([{ ...HUNK, lines: [`-${text}`, `+${text}y`] }], { numbersKnown: true, ignoreSpace: true });
    };
    const many = (count: number) => {
      const side = (sign: string, last: string) =>
        Array.from({ length: count }, (_, i) => `${sign}a${i} b c ${last}`);
      diffLines([{ ...HUNK, lines: [...side("-", "d"), ...side("+", "e")] }], { numbersKnown: true });
    };
    expect(timeGrowth(long, 50_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    expect(timeGrowth(many, 500)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
