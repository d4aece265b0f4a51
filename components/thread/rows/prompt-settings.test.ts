import { expect, it } from "vitest";
import { splitPrompt } from "./prompt-settings";

const read = (prompt: string) => {
  const { line, rest } = splitPrompt(prompt);
  return [line, ...rest.map(({ pasted, text }) => (pasted ? `[${text}]` : text))];
};

it("gives the header a line and the rest what follows", () => {
  expect(read("  fix it\n\n- a\n- b\n")).toEqual(["fix it", "- a\n- b"]);
  expect(read("fix it")).toEqual(["fix it"]);
  expect(read(" \n")).toEqual([""]);
});

it("shows a long line again, whole, below", () => {
  const long = "word ".repeat(60).trim();
  expect(read(long)).toEqual([long, long]);
});

it("heads a prompt with what was typed, and keeps what was pasted for below", () => {
  const paste = '<pasted_content id="e6f3">\na\nb\n</pasted_content id="e6f3">';
  expect(read(`${paste}\n\n And this?\nQuickly.`)).toEqual(["And this?", "[a\nb]", "Quickly."]);
  expect(read(paste)).toEqual(["a", "[a\nb]"]);
});
