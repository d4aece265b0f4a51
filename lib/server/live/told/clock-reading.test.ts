import { expect, it } from "vitest";
import { clockSince } from "./clock-reading";

it("says the time by the clock that a moment was told by, however the clock was set since", () => {
  const then = { clockMs: 1_000_000, steadyMs: 500 };
  const hour = 3_600_000;
  expect(clockSince(then, { clockMs: 1_060_000, steadyMs: 60_500 })).toBe(1_060_000);
  // A clock that agrees with others now and then is no other one.
  expect(clockSince(then, { clockMs: 1_062_000, steadyMs: 60_500 })).toBe(1_062_000);
  for (const setMs of [hour, -hour])
    expect(clockSince(then, { clockMs: 1_060_000 + setMs, steadyMs: 60_500 })).toBe(1_060_000);
});
