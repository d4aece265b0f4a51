import { expect, it } from "vitest";
import { foldOutput } from "./fold-output";

const seq = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}\n`).join("");

it("shows a short output whole", () => {
  expect(foldOutput(seq(1, 99), null)).toMatchObject({ head: 99, tail: [], leftOut: 0 });
});

it("shows head and tail of a long one, and counts the lines between them", () => {
  const { head, tail, leftOut, total } = foldOutput(seq(1, 30_000), null);
  expect([head, tail.length, leftOut, total]).toEqual([60, 20, 29_920, 30_000]);
  expect([tail[0], tail.at(-1)]).toEqual(["29981", "30000"]);
});

it("shows the end of one that is incomplete", () => {
  const rest = { tail: seq(29_500, 30_000), lines: 30_000, characters: 168_894 };
  const folded = foldOutput(seq(1, 900), rest);
  expect([folded.head, folded.leftOut, folded.total]).toEqual([60, 29_920, 30_000]);
  expect(folded.tail.at(-1)).toBe("30000");
  // One line that is longer than what is sent of it.
  expect(foldOutput("xxx", { tail: "xxx", lines: 1, characters: 9 })).toMatchObject({ head: 1, leftOut: 1 });
});
