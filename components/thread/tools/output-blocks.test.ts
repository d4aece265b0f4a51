import { expect, it } from "vitest";
import { formatRefusal } from "./output-blocks";

it("finds what a person said when they refused", () => {
  expect(
    formatRefusal(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nKeep the old key",
    ),
  ).toEqual({ said: "Keep the old key", byRule: null });
  expect(formatRefusal("The user doesn't want to proceed with this tool use.").said).toBeNull();
  expect(formatRefusal("Permission denied by rule Read(.env*)").byRule).toBe("Read(.env*)");
});
