import { expect, it } from "vitest";
import { firstLine } from "./first-line";

it("is the first line that has words, without marks and colours", () => {
  expect(firstLine("\n\n## What **changed**\nmore")).toBe("What changed");
  expect(firstLine("\u001b[1mBold\u001b[0m text")).toBe("Bold text");
  expect(firstLine("- use `retry()` twice")).toBe("use retry() twice");
  expect(firstLine(" \n ")).toBe("");
});
