import { expect, it } from "vitest";
import { splitPrompt } from "./split-prompt";

it("gives the header a line and the rest what follows", () => {
  expect(splitPrompt("  fix it\n\n- a\n- b\n")).toEqual({ line: "fix it", rest: "- a\n- b" });
  expect(splitPrompt("fix it")).toEqual({ line: "fix it", rest: "" });
});

it("shows a long line again, whole, below", () => {
  const long = "word ".repeat(60).trim();
  expect(splitPrompt(long)).toEqual({ line: long, rest: long });
});
