import { expect, test } from "vitest";
import { valuesIn } from "./nested-values";

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
