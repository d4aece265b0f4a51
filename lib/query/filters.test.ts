import { expect, test } from "vitest";
import { checkFilter, FILTER_NAMES, filterEntry, findFilter } from "./filters";
import { parseQuery } from "./parse-query";

test("every filter takes its own example and the values that it offers", () => {
  for (const name of FILTER_NAMES) {
    const { example, values } = filterEntry(name);
    for (const value of [example, ...values])
      expect(`${name}:${value} ${checkFilter({ name, value }) ?? "is right"}`).toBe(
        `${name}:${value} is right`,
      );
  }
});

test("every filter is read from a query as itself, and asks for a value where it has none", () => {
  for (const name of FILTER_NAMES) {
    const { example } = filterEntry(name);
    expect(parseQuery(`${name.toUpperCase()}:${example}`)).toEqual({
      query: { kind: "filter", name, value: example },
      errors: [],
    });
    expect(parseQuery(`${name}:`).errors[0]?.message).toBe(
      `${name}: needs a value, such as ${name}:${example}`,
    );
  }
});

test("an invalid value is named together with the valid ones", () => {
  const wrong = (text: string) => parseQuery(text).errors.map(({ message }) => message);
  expect(wrong("is:bad")).toEqual([
    "is: needs one of error, denied, running, abandoned, compacted, unanswered, starred, hidden",
  ]);
  expect(wrong("has:file")).toEqual(["has: needs one of image, diff, compaction, note, bookmark, comment"]);
  expect(wrong("before:soon")).toEqual(["before: needs a date or an age, such as 2026-03-01 or 7d"]);
  expect(wrong("after:2026-13-01")).toEqual(["after: needs a date or an age, such as 2026-03-01 or 7d"]);
  expect(wrong("tokens:many")).toEqual(["tokens: needs a number, such as >5k or <=200"]);
  expect(wrong("IN:Prompt")).toEqual([]);
});

test("names of inherited properties are no filters", () => {
  for (const name of ["http", "constructor", "__proto__", "toString", ""])
    expect(findFilter(name)).toBeNull();
  expect(findFilter("Tool")).toBe("tool");
});

test("in: takes the name of a project too, but no slip in the name of a place", () => {
  const read = (query: string) => parseQuery(query);
  expect(read("in:courier").query).toEqual({ kind: "filter", name: "project", value: "courier" });
  expect(read('-in:"my shop"').query).toEqual({
    kind: "not",
    part: { kind: "filter", name: "project", value: "my shop" },
  });
  for (const place of ["in:Prompt", "in:this-session", "in:raw"])
    expect(read(place).query).toMatchObject({ name: "in" });
  for (const slip of ["in:promt", "in:agents", "in:tilte", "in:thinkinh"])
    expect(read(slip).errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^in: needs one of prompt, .*, or the name of a project$/),
    ]);
  expect(read("in:").errors).toHaveLength(1);
});
