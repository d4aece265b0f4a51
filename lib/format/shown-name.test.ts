import { expect, test } from "vitest";
import { folderName, isBlankName, shownName } from "./shown-name";

test("a name of which nothing would be seen has words in its place", () => {
  for (const blank of ["", " ", "\t\n", "\u00a0\u3000", "\u0007\u001b", "\u200b\u202e", "\u3164", "\u2800"])
    expect(
      [isBlankName(blank), shownName(blank), shownName(blank, "Untitled session")],
      JSON.stringify(blank),
    ).toEqual([true, "(blank name)", "Untitled session"]);
  expect([shownName(null), shownName(undefined)]).toEqual(["(blank name)", "(blank name)"]);
});

test("any other name is shown as it is", () => {
  for (const name of ["a", " a ", "-", "…", "語", "👍🏽", "\u202ea", "\ue000"])
    expect(shownName(name)).toBe(name);
});

test("a folder is called by the last part of its path", () => {
  expect(["/home/dev/shop", "C:\\src\\shop\\", "/", "/home/dev/ "].map(folderName)).toEqual([
    "shop",
    "shop",
    "/",
    "(blank name)",
  ]);
});
