import { expect, test } from "vitest";
import type { CallDetail } from "@/lib/wire/record";
import { readTaskOutput } from "./later-output";

const answered = (output: string) =>
  readTaskOutput({
    results: [{ isError: false, structured: { task: { status: "completed", output } }, blocks: [] }],
  } as unknown as CallDetail)?.text;

const line = (type: string, content: unknown) => JSON.stringify({ type, uuid: "u", message: { content } });

test("an agent's log that is given as its output is read as what the agent said", () => {
  const log = [
    line("user", "Check slowly."),
    line("assistant", [{ type: "text", text: "Looking." }]),
    line("assistant", [{ type: "tool_use", name: "Bash" }]),
    line("assistant", [{ type: "text", text: "Slow answer." }]),
  ].join("\n");
  expect(answered(log)).toBe("Looking.\n\nSlow answer.");
});

test("any other output stays as it is", () => {
  expect(answered("tick 1\ntick 2\n")).toBe("tick 1\ntick 2");
  expect(answered('{"type":"user"}')).toBe('{"type":"user"}');
  expect(answered(`${line("assistant", [])}\n{"cut`)).toBe(`${line("assistant", [])}\n{"cut`);
});
