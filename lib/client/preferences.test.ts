import { expect, test } from "vitest";
import { DEFAULT_PREFERENCES, parsePreferences } from "./preferences";

test("what is allowed is kept, all else is the default", () => {
  const stored = { theme: "dark", textPx: 16, rows: "huge", detail: null, wrap: true, later: 1 };
  expect(parsePreferences(JSON.stringify(stored))).toEqual({
    ...DEFAULT_PREFERENCES,
    theme: "dark",
    textPx: 16,
    wrap: true,
  });
});

test.each([null, "", "{", "null", "[1]", '"x"', '{"__proto__":{"theme":"dark"}}'])(
  "%j gives the defaults",
  (text) => {
    expect(parsePreferences(text)).toEqual(DEFAULT_PREFERENCES);
  },
);
