import { expect, test } from "vitest";
import { fieldsOf, listField, numberField, parseJson, textField, valuesIn } from "./json-values";

test("values come in the order of their JSON, however many or deep they are", () => {
  const strings = (json: unknown) => [...valuesIn(json)].filter((value) => typeof value === "string");
  expect(strings({ a: ["1", { b: "2" }], c: null, d: "3" })).toEqual(["1", "2", "3"]);
  expect(strings("alone")).toEqual(["alone"]);
  const wide = Array.from({ length: 200_000 }, (_, at) => String(at));
  expect(strings(wide)).toEqual(wide);
  let deep: unknown = "bottom";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(strings(deep)).toEqual(["bottom"]);
});

test("of any value, parsed or not, the fields can be asked for", () => {
  const value = parseJson('{"name":"Read","lines":3,"of":["a"]}');
  expect([textField(value, "name"), numberField(value, "lines"), listField(value, "of")]).toEqual([
    "Read",
    3,
    ["a"],
  ]);
  expect([textField(value, "lines"), numberField(value, "name"), listField(value, "name")]).toEqual([
    null,
    null,
    [],
  ]);
  for (const other of [undefined, null, 7, "text", ["a"]]) expect(fieldsOf(other)).toEqual({});
  expect([parseJson("{"), parseJson(""), parseJson(null), parseJson("null")]).toEqual([
    ...[undefined, undefined, undefined, null],
  ]);
});
