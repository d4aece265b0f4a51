import { expect, test } from "vitest";
import { freeUnused, giveBack, takeMemory } from "./memory";

test("what was taken back waits to be used again, until it is freed", () => {
  const first = takeMemory(1 << 20);
  giveBack(first);
  expect(takeMemory(1 << 20)).toBe(first);
  const others = [takeMemory(200_000), takeMemory(4 << 20)];
  for (const one of [first, ...others]) giveBack(one);
  freeUnused();
  expect([first, ...others].map(({ length }) => length)).toEqual([0, 0, 0]);
  expect(takeMemory(1 << 20).length).toBeGreaterThanOrEqual(1 << 20);
});
