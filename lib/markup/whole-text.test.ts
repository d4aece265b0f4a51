import { expect, it } from "vitest";
import { findWholeText } from "./whole-text";

const cut = (text: string) => ({ text, cut: true, length: 100 });

it("finds the string that a cut text begins, however deep it lies", () => {
  const whole = `I'll read the file first. ${"and on ".repeat(20)}`;
  const json = { message: { content: [{ type: "text", text: "short" }, { text: whole }] }, other: "I'll re" };
  expect(findWholeText(json, cut("I'll read the file"))).toBe(whole);
});

it("finds the longest of those that begin so, whichever comes first", () => {
  const [preview, whole] = ["I'll read the file first", `I'll read the file first. ${"and on ".repeat(20)}`];
  for (const texts of [
    [preview, whole],
    [whole, preview],
  ])
    expect(findWholeText(texts, cut("I'll read the file"))).toBe(whole);
});

it("finds nothing in a record without it", () => {
  expect(findWholeText({ a: ["x", null, 3] }, cut("y"))).toBeNull();
});

it("survives a deep record", () => {
  let json: unknown = "abc and more";
  for (let depth = 0; depth < 100_000; depth++) json = [json];
  expect(findWholeText(json, cut("abc"))).toBe("abc and more");
});

it("finds the answer in a notification", () => {
  const answer = `It says </result> here. ${"more ".repeat(50)}`.trim();
  const content = `<task-notification>\n<summary>Agent finished</summary>\n<result>${answer}</result>\n</task-notification>`;
  const cut = { text: answer.slice(0, 40), cut: true, length: answer.length };
  expect(findWholeText({ message: { content } }, cut)).toBe(answer);
});

it("finds what a command printed, its errors below its output", () => {
  const output = `total 8 ${"and on ".repeat(50)}`.trim();
  const content = `<bash-stdout>${output}</bash-stdout><bash-stderr>ls: no marmot</bash-stderr>`;
  const whole = `${output}\nls: no marmot`;
  const cut = { text: output.slice(0, 40), cut: true, length: whole.length };
  expect(findWholeText({ message: { content } }, cut)).toBe(whole);
});

it("finds an agent's answer that was handed back", () => {
  const answer = `Two files.\n${"and on\n".repeat(50)}The end.`;
  const handedBack = `[Subagent hand-back]\n${answer.replace(/^/gm, "  ")}\nagentId: a1 (for the model)`;
  const cut = { text: answer.slice(0, 40), cut: true, length: answer.length };
  expect(findWholeText({ content: [{ type: "text", text: handedBack }] }, cut)).toBe(answer);
});
