import { expect, test } from "vitest";
import { hasEndedLately } from "./now-tiles";

const NOW = new Date(2026, 10, 21, 14, 58).getTime();

test.each([
  ["half an hour ago", -30, true],
  ["by a clock a minute ahead", 1, true],
  ["two hours ago", -120, false],
  ["tomorrow", 24 * 60, false],
])("whether a session whose last line is of %s has ended lately", (_, minutes, ended) => {
  const lastActiveAtMs = NOW + minutes * 60_000;
  expect(hasEndedLately({ state: "ended", lastActiveAtMs }, NOW)).toBe(ended);
  expect(hasEndedLately({ state: "running", lastActiveAtMs }, NOW)).toBe(false);
});
