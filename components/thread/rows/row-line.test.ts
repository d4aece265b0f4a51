import { expect, it } from "vitest";
import { firstLine, firstProseLine } from "./row-line";

it("is the first line that has words, without colours, and otherwise as it is", () => {
  expect(firstLine("\n\n## What **changed**\nmore")).toBe("## What **changed**");
  expect(firstLine("\u001b[1mBold\u001b[0m text")).toBe("Bold text");
  expect(firstLine('{"__proto__":{"type":"user"},"a_b":1}')).toBe('{"__proto__":{"type":"user"},"a_b":1}');
  expect(firstLine(" \n ")).toBe("");
});

it("ends with a whole character where it is cut", () => {
  expect(firstLine(`a${"🙂".repeat(9)}`, 4)).toBe("a🙂");
  expect(firstProseLine(`a${"🙂".repeat(9)}`, 4)).toBe("a🙂");
});

it("of prose it is without Markdown's marks", () => {
  expect(firstProseLine("\n\n## What **changed**\nmore")).toBe("What changed");
  expect(firstProseLine("- use `retry()` twice, _slowly_")).toBe("use retry() twice, slowly");
  expect(firstProseLine("`max_retries` in snake_case_name")).toBe("max_retries in snake_case_name");
});
