import fc from "fast-check";
import { expect, it } from "vitest";
import type { Mark } from "@/lib/markup/diff-lines";
import { linePieces } from "./code-line";

const spell = (text: string, spans: number[] | undefined, marks: Mark[]) =>
  linePieces(text, spans, marks).map(
    ({ text: piece, kind, marked }) => `${kind}${marked ? "!" : ""}:${piece}`,
  );

it("cuts a line where its syntax or its marks change", () => {
  expect(spell("const a = 1", [5, 1, 3, 0, 3, 4], [{ from: 6, to: 9 }])).toEqual([
    "keyword:const",
    "plain: ",
    "plain!:a ",
    "constant!:=",
    "constant: 1",
  ]);
});

it("is plain without spans, and beyond them", () => {
  expect(spell("abc", undefined, [])).toEqual(["plain:abc"]);
  expect(spell("abcdef", [3, 1], [{ from: 0, to: 6 }])).toEqual(["keyword!:abc", "plain!:def"]);
});

it("keeps every character, whatever spans and marks say", () => {
  const pairs = fc.array(
    fc.tuple(fc.nat(9), fc.nat(12)).map(([length, kind]) => [length, kind]),
    { maxLength: 8 },
  );
  const marks = fc.array(fc.nat(30), { maxLength: 6 }).map((ends) => {
    const sorted = [...new Set(ends)].sort((a, b) => a - b);
    return sorted.flatMap((from, i) =>
      i % 2 === 0 && sorted[i + 1] !== undefined ? [{ from, to: sorted[i + 1] ?? 0 }] : [],
    );
  });
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), pairs, marks, (text, spans, some) => {
      expect(
        linePieces(text, spans.flat(), some)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }),
  );
});
