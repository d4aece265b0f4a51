import { expect, it } from "vitest";
import type { ComparedTurn, ComparePairResponse, TurnPair } from "@/lib/wire/compare";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { compareItems, isTurnOpen } from "./use-compare";

const turn = (recordId: string) => ({ recordId: recordId as RecordId }) as ComparedTurn;
const TURNS = [0, 1, 2, 3].map(
  (pair) => ({ pair, samePrompt: true, left: turn(`${pair}`), right: null }) as TurnPair,
);
const sides = (left: string, right: string) => ({
  left: { sessionId: left as SessionId },
  right: { sessionId: right as SessionId },
});
const NO_ROWS: ComparePairResponse = { rows: [], more: 0 };

const folds = (folded: string[], expanded: string[] = []) => ({
  folded: new Set(folded),
  expanded: new Set(expanded),
});

/** The lines of four turns, of which the last is closed. */
const lines = (answers: (ComparePairResponse | Error | null)[], expanded: string[] = []) =>
  compareItems(
    { turns: TURNS, ...sides("s", "s") },
    new Map(answers.map((answer, pair) => [pair, answer])),
    folds([], expanded),
    false,
  ).map(({ key }) => key.replace(/^s\//, ""));

it("what is below a turn whose rows are awaited comes with them, and so is never moved", () => {
  expect(lines([null, NO_ROWS, null])).toEqual(["0", "0 note"]);
  expect(lines([NO_ROWS, NO_ROWS, null])).toEqual(["0", "1", "2", "2 note"]);
  expect(lines([NO_ROWS, new Error("gone"), NO_ROWS])).toEqual(["0", "1", "1 note", "2", "3"]);
});

it("what is below a turn that the reader opens stays in the page", () => {
  expect(lines([NO_ROWS, null, NO_ROWS], ["s/1"])).toEqual(["0", "1", "1 note", "2", "3"]);
});

it("a turn is as its reader left it whatever stands beside it, else open if it is one of the first", () => {
  const pair = (at: number, left: string | null, right: string | null) => {
    return { pair: at, left: left === null ? null : turn(left), right: right === null ? null : turn(right) };
  };
  const compared = {
    turns: [{ ...pair(5, "m~0", "m~0"), begun: true, samePrompt: true }],
    ...sides("a", "b"),
  };
  const isOpen = (...[of, ...by]: [ReturnType<typeof pair>, ...Parameters<typeof folds>]) =>
    isTurnOpen(compared, of, folds(...by));
  expect([12, 13].map((at) => isOpen(pair(at, "m~7", null), []))).toEqual([true, false]);
  expect(isOpen(pair(5, "m~7", "m~9"), ["a/m~7", "a/m~8"])).toBe(false);
  expect(isOpen(pair(6, "m~7", null), ["a/m~7", "b/m~9"])).toBe(false);
  // Its place is another, or that of another session's.
  expect(isOpen(pair(40, "m~1", "m~7"), [], ["b/m~7"])).toBe(true);
  expect(isOpen(pair(5, "m~9", "m~7"), ["a/m~7", "b/m~9"])).toBe(true);
});

it("what says that rows are missing is no difference to go to; rows that differ are", () => {
  const rows = [true, false].map((same) => ({ left: null, right: null, same }));
  const answers = new Map<number, ComparePairResponse | Error | null>([
    [0, { rows, more: 3 }],
    [1, new Error("gone")],
    [2, null],
  ]);
  const items = compareItems({ turns: TURNS, ...sides("s", "s") }, answers, folds([]), false);
  expect(items.filter(({ differs }) => differs).map(({ key }) => key)).toEqual(["s/0 1"]);
  expect(items.flatMap((item) => (item.kind === "note" ? [item.words] : []))).toEqual([
    "3 more rows, in the thread",
    "gone",
    "Reading the log…",
  ]);
});
