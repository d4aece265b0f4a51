import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spellControls } from "@/lib/format/text";
import { runs, sampled } from "@/lib/testing/runs";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { type AnsiToken, stripAnsi, tokenizeAnsi } from "./ansi-tokens";

function spell(token: AnsiToken): string {
  if (token.kind === "control") return `<${token.label}>`;
  const { fg, bg, bold } = token.style;
  const style = [fg, bg && `on ${bg}`, bold && "bold", token.href && `→${token.href}`]
    .filter(Boolean)
    .join(" ");
  return style ? `${style}:${token.text}` : token.text;
}
const spelled = (text: string) => tokenizeAnsi(text).map(spell);

describe("terminal output", () => {
  it("becomes text in named colours", () => {
    expect(spelled("\u001b[32m✓\u001b[39m a \u001b[1;31mfail\u001b[0m.")).toEqual([
      "green:✓",
      " a ",
      "red bold:fail",
      ".",
    ]);
    expect(spelled("\u001b[43;30m WARN \u001b[m")).toEqual(["dim on yellow: WARN "]);
    expect(spelled("\u001b[38;5;196mx\u001b[38;2;0;200;0my\u001b[38:5:27mz")).toEqual([
      "red:x",
      "green:y",
      "blue:z",
    ]);
  });

  it("reads parameters after colons as part of their code", () => {
    const looks = (text: string) =>
      tokenizeAnsi(text).map((token) =>
        token.kind === "text"
          ? Object.entries(token.style).flatMap(([name, on]) => (on ? `${name} ${on}` : []))
          : [],
      );
    // A wave below the text, none, and a colour for the line.
    expect(looks("\u001b[4:3mx")).toEqual([["underline true"]]);
    expect(looks("\u001b[31;4m\u001b[4:0mx")).toEqual([["fg red"]]);
    expect(looks("\u001b[4;58;5;9mx\u001b[58:2::255:0:0;1my")).toEqual([
      ["underline true"],
      ["bold true", "underline true"],
    ]);
    expect(spelled("\u001b[38:2::255:0:0mx\u001b[38:2:0:200:0my\u001b[48:5:27mz")).toEqual([
      "red:x",
      "green:y",
      "green on blue:z",
    ]);
  });

  it("keeps links apart from their text", () => {
    expect(spelled("\u001b]8;;https://a.test/\u0007here\u001b]8;;\u001b\\ there")).toEqual([
      "→https://a.test/:here",
      " there",
    ]);
  });

  it("shows sequences that a page cannot carry out", () => {
    expect(spelled("a\u001b[2Kb\rc\u0007\u0000\u009b5n\u001bZ")).toEqual([
      "a",
      "<␛[2K>",
      "b",
      "<␍>",
      "c",
      "<␇>",
      "<␀>",
      "<␛[5n>",
      "<␛>",
      "Z",
    ]);
    expect(spelled("a\u001b(B\u001b[mb\u001b#8c\u001b é")).toEqual([
      "a",
      "<␛(B>",
      "b",
      "<␛#8>",
      "c",
      "<␛>",
      " é",
    ]);
    expect(spelled("\u001b]0;title\u0007x")).toEqual(["<␛]0;title>", "x"]);
    expect(spelled("a\r\nb")).toEqual(["a", "\nb"]);
  });

  it("does not let an unfinished string swallow the rest", () => {
    const rest = "y".repeat(5000);
    expect(spelled(`\u001b]8;;${rest}`).join("")).toContain(rest);
    expect(spelled(`\u001b]0;${rest}\u0007`).join("")).toContain(rest);
    // An output that was shortened in the middle of a link, or of a title: the next end is another one's.
    const link = (name: string) => `\u001b]8;;file:///${name}\u001b\\${name}\u001b]8;;\u001b\\`;
    for (const cut of ["\u001b]8;;file:///sr", "\u001b]0;make te", "\u009d8;;file:///sr"])
      expect(spelled(`${cut}\n... [40 lines truncated] ...\n${link("b.ts")}.`).slice(1)).toEqual([
        `${cut.replace(/^\u001b|^\u009d/, "")}\n... [40 lines truncated] ...\n`,
        "→file:///b.ts:b.ts",
        ".",
      ]);
    expect(stripAnsi(`a\u001b]8;;file:///sr${link("b.ts")}`)).toBe("a]8;;file:///srb.ts");
  });

  const BEGINNINGS = ["P", "X", "]", "^", "_"].flatMap((letter, nth) =>
    ["\u001b" + letter, "\u0090\u0098\u009d\u009e\u009f"[nth] ?? ""].map((begins) => ({ letter, begins })),
  );
  const printable = fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, ""));
  // No link, which would be none of the controls.
  const body = printable.map((text) => `0;${text}`);

  it("takes every string whole, in 7 and 8 bits, whatever it ends with", () => {
    const of = fc.record({
      ...{ string: fc.constantFrom(...BEGINNINGS), before: printable, after: printable },
      // Only a link or title ends with BEL; what else is written in lines, as pictures are.
      ...{
        parts: fc.array(body, { minLength: 1, maxLength: 3 }),
        between: fc.constantFrom("\n", "\r\n", "\u0007"),
      },
      end: fc.constantFrom("\u001b\\", "\u009c", "\u0007"),
    });
    fc.assert(
      fc.property(of, ({ string: { letter, begins }, before, after, parts, between, end }) => {
        const isOsc = letter === "]";
        const text = isOsc ? (parts[0] ?? "") : parts.join(between);
        const written = begins + text + (isOsc || end !== "\u0007" ? end : "\u009c");
        const controls = tokenizeAnsi(before + written + after).filter(({ kind }) => kind === "control");
        expect(controls).toEqual([{ kind: "control", label: `␛${letter}${spellControls(text)}` }]);
        expect(stripAnsi(before + written + after)).toBe(before + after);
      }),
      sampled(7, 1_000, 50_000),
    );
  });

  it("leaves what follows a string that was cut off as it is", () => {
    const of = fc.record({ string: fc.constantFrom(...BEGINNINGS), text: body, after: printable });
    fc.assert(
      fc.property(of, fc.constantFrom("\n", "", "\r\n"), ({ string: { begins }, text, after }, line) => {
        const link = "\u001b]8;;file:///b.ts\u001b\\b.ts\u001b]8;;\u001b\\";
        const next = `${line}... [40 lines truncated] ...\n${after}${link}.`;
        const { length } = tokenizeAnsi(next);
        expect(tokenizeAnsi(begins + text + next).slice(-length + 1)).toEqual(tokenizeAnsi(next).slice(1));
        expect(stripAnsi(begins + text + next).endsWith(stripAnsi(next))).toBe(true);
        expect(stripAnsi(`${begins}${text}`).endsWith(text)).toBe(true);
      }),
      sampled(7, 1_000, 50_000),
    );
  });

  it("takes pictures whole, and what is wrapped for tmux with its doubled escapes", () => {
    const picture = `Gf=100,m=1;${"A".repeat(9_000)}`;
    expect(stripAnsi(`a\u001b_${picture}\u001b\\b`)).toBe("ab");
    expect(stripAnsi("a\u001bPtmux;\u001b\u001b]8;;x\u0007\u001b\\b")).toBe("ab");
    expect(stripAnsi("a\u001bPtmux;\u001b\u001b]8;;x\u001b\u001b\\y\u001b\\b")).toBe("ab");
  });

  it("survives any sequence, without leaving a control character in text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "\u001b",
        "\u001b[",
        "\u001b]",
        "\u001b]8;;",
        "\u001bP",
        "\u001bPtmux;",
        "\u001b\u001b",
        "\u0090",
        "\u0098",
        "\u0007",
        "\u001b\\",
        "\u009b",
        "\u009d",
        "\u009c",
        "38;5;",
        "m",
        ";",
        "\r",
        "\n",
        "http://x",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const token of tokenizeAnsi(pieces.join(""))) {
          const text = token.kind === "text" ? token.text : token.label;
          expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)).toBe(false);
        }
      }),
      sampled(7, 3_000, 200_000),
    );
  });

  it("stays linear on unfinished sequences", () => {
    for (const [piece, end] of [
      ["\u001b]", ""],
      ["\u001b[", ""],
      ["\u001b]8;;x", "\u0007"],
      ["\u001bPx\u0007", ""],
      ["\u0090x\n", "\u009c"],
      ["\u001bPtmux;\u001b", ""],
    ] as const) {
      const growth = timeGrowth((times) => tokenizeAnsi(piece.repeat(times) + end), runs(2_000, 12_500));
      expect(growth, JSON.stringify(piece)).toBeLessThan(MAX_LINEAR_GROWTH);
    }
  });
});
