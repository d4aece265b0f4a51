import { expect, it } from "vitest";
import type { ComparePairResponse, TurnPair } from "@/lib/wire/compare";
import { compareItems } from "./use-compare";

const TURNS = [0, 1, 2, 3].map((pair) => ({ pair, samePrompt: true, left: null, right: null }) as TurnPair);
const NO_ROWS = { rows: [], more: 0 } as unknown as ComparePairResponse;

/** The lines of four turns, of which the last is closed. */
const lines = (answers: (ComparePairResponse | Error | null)[], toggled: number[] = []) =>
  compareItems(TURNS, new Map(answers.map((answer, pair) => [pair, answer])), new Set(toggled), false).map(
    ({ key }) => key,
  );

it("what is below a turn whose rows are awaited comes with them, and so is never moved", () => {
  expect(lines([null, NO_ROWS, null])).toEqual(["0", "0 note"]);
  expect(lines([NO_ROWS, NO_ROWS, null])).toEqual(["0", "1", "2", "2 note"]);
  expect(lines([NO_ROWS, new Error("gone"), NO_ROWS])).toEqual(["0", "1", "1 note", "2", "3"]);
});

it("what is below a turn that the reader opens stays in the page", () => {
  expect(lines([NO_ROWS, null, NO_ROWS], [1])).toEqual(["0", "1", "1 note", "2", "3"]);
});
