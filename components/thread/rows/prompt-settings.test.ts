import { expect, it } from "vitest";
import { splitPrompt, wordsOfMode } from "./prompt-settings";

const read = (prompt: string) => {
  const { line, rest } = splitPrompt(prompt);
  return [line, ...rest.map(({ pasted, text }) => (pasted ? `[${text}]` : text))];
};

it("gives the header a line and the rest what follows", () => {
  expect(read("  fix it\n\n- a\n- b\n")).toEqual(["fix it", "- a\n- b"]);
  expect(read("fix it")).toEqual(["fix it"]);
  expect(read(" \n")).toEqual([""]);
});

it("keeps a sentence in one piece, and shows it once", () => {
  const sentence = "word ".repeat(60).trim();
  expect(read(sentence)).toEqual([sentence]);
  expect(splitPrompt(sentence)).toMatchObject({ isHeading: true, isBold: false });
  expect(splitPrompt("word ".repeat(20))).toMatchObject({ isHeading: true, isBold: true });
});

it("leaves a text, a list and a fence whole below a heading that is not shown", () => {
  for (const prompt of ["word ".repeat(200).trim(), "- a\n- b", "```sh\nls\n```"]) {
    const { isHeading, rest } = splitPrompt(prompt);
    expect(isHeading).toBe(false);
    expect(rest).toEqual([{ pasted: false, text: prompt }]);
  }
  // What is cut goes on where it is shown.
  expect(splitPrompt("the beginning", true)).toMatchObject({ isHeading: false, line: "the beginning" });
});

it("heads a prompt with what was typed, and keeps what was pasted for below", () => {
  const paste = '<pasted_content id="e6f3">\na\nb\n</pasted_content id="e6f3">';
  expect(read(`${paste}\n\n And this?\nQuickly.`)).toEqual(["And this?", "[a\nb]", "Quickly."]);
  expect(read(paste)).toEqual(["a", "[a\nb]"]);
});

it("shows a permission mode that is not known as it is logged", () => {
  expect(["plan", "newer", "constructor"].map(wordsOfMode)).toEqual(["plan mode", "newer", "constructor"]);
});
