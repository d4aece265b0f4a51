import { expect, test } from "vitest";
import { rowsInFlow } from "./use-row-list";

const items = (...indexes: number[]) =>
  indexes.map((index) => ({ index, start: index * 24, end: index * 24 + 24 }));

test.each([
  ["all that follow each other", items(3, 4, 5, 6), 5, { first: 3, last: 6, start: 72, end: 168 }],
  ["not a selected row far above", items(1, 40, 41, 42), 41, { first: 40, last: 42, start: 960, end: 1032 }],
  [
    "not a selected row far below",
    items(40, 41, 42, 900),
    41,
    { first: 40, last: 42, start: 960, end: 1032 },
  ],
  [
    "a selected row once it is next to them",
    items(39, 40, 41),
    40,
    { first: 39, last: 41, start: 936, end: 1008 },
  ],
  ["nothing of an empty list", items(), 0, { first: 0, last: -1, start: 0, end: 0 }],
])("%s", (_, list, index, expected) => {
  expect(rowsInFlow(list, index)).toEqual(expected);
});
