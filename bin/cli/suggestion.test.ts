import { expect, it } from "vitest";
import { nearestName } from "./suggestion.mjs";

const NAMES = ["index", "export", "restore", "doctor", "search", "usage", "why", "files", "archive", "mcp"];

it.each([
  ["serch", "search"],
  ["doctr", "doctor"],
  ["docotr", "doctor"],
  ["Export", "export"],
  ["exprot", "export"],
  ["wyh", "why"],
  ["arch", "archive"],
  ["annotate", null],
  ["src", null],
  ["a", null],
  ["", null],
])("%s was meant as %s", (typed, name) => {
  expect(nearestName(typed, NAMES)).toBe(name);
});

it("does not guess between two that are equally near, nor by a name of an object", () => {
  expect(nearestName("fort", ["port", "sort"])).toBeNull();
  expect(nearestName("constructor", NAMES)).toBeNull();
  expect(nearestName("x".repeat(100_000), NAMES)).toBeNull();
});
