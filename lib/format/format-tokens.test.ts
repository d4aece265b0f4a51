import { expect, it } from "vitest";
import { formatTokens, withTokens } from "./format-tokens";

it("says nothing about tokens where no usage is recorded", () => {
  expect(formatTokens(84_000)).toBe("84k tok");
  expect(formatTokens(0)).toBeNull();
  expect(formatTokens(null)).toBeNull();
  expect(withTokens("14 tools", 31_000)).toBe("14 tools · 31k");
  expect(withTokens("14 tools", 0)).toBe("14 tools");
});
