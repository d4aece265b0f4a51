import { expect, test } from "vitest";
import { formatDuration, formatElapsed } from "./format-duration";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, "0 ms"],
  [-5, "0 ms"],
  [12.4, "12 ms"],
  [999, "999 ms"],
  [999.6, "1 s"],
  [1_000, "1 s"],
  [4_230, "4.2 s"],
  [9_949, "9.9 s"],
  [9_951, "10 s"],
  [31_400, "31 s"],
  [59_600, "1 m"],
  [72 * SECOND, "1 m 12 s"],
  [2 * MINUTE + 28 * SECOND, "2 m 28 s"],
  [59 * MINUTE + 59_600, "1 h"],
  [HOUR + 12 * MINUTE, "1 h 12 m"],
  [24 * HOUR, "1 d"],
  [76 * HOUR, "3 d 4 h"],
])("%d ms lasted %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [-1, "0 s"],
  [38_900, "38 s"],
  [70 * SECOND, "1 m 10 s"],
  [4 * MINUTE + 3 * SECOND, "4 m"],
  [HOUR + 10 * MINUTE, "1 h 10 m"],
  [75 * HOUR, "3 d"],
])("%d ms so far are %s", (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
