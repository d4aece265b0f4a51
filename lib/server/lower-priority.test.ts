import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { lowerPriority } from "./lower-priority";

test.runIf(process.platform === "linux")("the work of a thread goes behind that of others", () => {
  lowerPriority();
  expect(getPriority(0)).toBe(10);
});
