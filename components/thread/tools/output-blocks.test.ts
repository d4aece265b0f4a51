import { expect, it } from "vitest";
import { refusalWords } from "./refusal-words";

it("finds what a person said when they refused", () => {
  expect(
    refusalWords(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nKeep the old key",
    ),
  ).toEqual({ said: "Keep the old key", byRule: null });
  expect(refusalWords("The user doesn't want to proceed with this tool use.").said).toBeNull();
  expect(refusalWords("Permission denied by rule Read(.env*)").byRule).toBe("Read(.env*)");
});
