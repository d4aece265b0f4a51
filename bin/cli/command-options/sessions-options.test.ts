import { expect, it } from "vitest";
import { SESSION_SORTS } from "@/lib/wire/library-columns";
import { readOptions } from "../options.mjs";

const ALL = { name: "sessions", query: "", sort: "active", project: null, limit: 50, json: false };

it("takes the words behind sessions as what they are narrowed to, or none", () => {
  expect(readOptions(["sessions"], {})).toMatchObject({ command: ALL, paths: [] });
  expect(readOptions(["sessions", "retry", "is:error", "--limit", "5", "--json"], {}).command).toEqual({
    ...{ ...ALL, query: "retry is:error", limit: 5, json: true },
  });
});

it("takes every order that the library has, and no other", () => {
  for (const sort of SESSION_SORTS)
    expect(readOptions(["sessions", "--sort", sort], {}).command).toEqual({ ...ALL, sort });
  const refused = () => readOptions(["sessions", "--sort", "weather"], {});
  expect(refused).toThrow(/^give --sort one of ([a-z]+, )+[a-z]+\.$/);
  for (const sort of SESSION_SORTS) expect(refused).toThrow(sort);
});
