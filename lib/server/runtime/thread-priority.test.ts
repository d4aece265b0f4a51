import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { lowerPriority, Nice } from "./thread-priority";

test.runIf(process.platform === "linux")("the work of a thread goes behind that of others", () => {
  lowerPriority(Nice.awaited);
  expect(getPriority(0)).toBe(5);
  lowerPriority(Nice.background);
  expect(getPriority(0)).toBe(10);
  lowerPriority(Nice.idle);
  expect(getPriority(0)).toBe(19);
});
