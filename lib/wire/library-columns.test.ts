import { expect, test } from "vitest";
import { LIBRARY_COLUMNS, numberColumns, SESSION_SORTS, UNKNOWN_FIGURES } from "./library-columns";

const heads = (sort: Parameters<typeof numberColumns>[0]) => numberColumns(sort).map(({ label }) => label);

test("numbers stand from left to right, the size in the place of the tokens while the list is ordered by it", () => {
  expect(heads("active")).toEqual(["Turns", "Tools", "Agents", "Tokens", "Cost", "Errors"]);
  expect(heads("errors")).toEqual(["Turns", "Tools", "Agents", "Tokens", "Cost", "Errors"]);
  expect(heads("bytes")).toEqual(["Turns", "Tools", "Agents", "Size", "Cost", "Errors"]);
});

test("the list can be ordered by what the API has always taken, in the order of its menu", () => {
  expect(SESSION_SORTS.map((sort) => `${sort}: ${LIBRARY_COLUMNS[sort].label}`)).toEqual([
    "active: Last active",
    "started: Started",
    "title: Title",
    "bytes: Size",
    "turns: Turns",
    "tools: Tools",
    "errors: Errors",
    "tokens: Tokens",
    "cost: Cost",
  ]);
});

test("a session that has not been read has no figures, in the order in which answers list them", () => {
  expect(JSON.stringify(UNKNOWN_FIGURES)).toBe(
    '{"turns":null,"toolCalls":null,"toolErrors":null,"toolsDenied":null,"agentCount":null,"tokens":null}',
  );
});
