import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes all words of a search as its query", () => {
  expect(readOptions(["search", "flaky retry", "in:prompt", "--limit", "5"], {})).toMatchObject({
    command: { name: "search", query: "flaky retry in:prompt", project: null, limit: 5, json: false },
    paths: [],
  });
  expect(readOptions(["search", "retry", "--limit", "5", "--", "-draft"], {})).toMatchObject({
    command: { name: "search", query: "retry -draft", limit: 5 },
  });
});

it.each([
  [["search"], "say what to look for"],
  [["search", "x", "--limit", "0"], "is no number of results"],
])("refuses %j", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});
