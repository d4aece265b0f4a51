import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { mergeParts, type SentPart } from "./assemble";
import { type SentMessage, textBlock } from "./sent-message";

const part = (record: number): SentPart => ({
  ...{ record, client: "2.1.330" },
  message: { role: "assistant", content: [textBlock(`${record}`)] },
});

test("consecutive parts of one role are a message, in linear time", () => {
  const parts = Array.from({ length: 32_000 }, (_, record) => part(record));
  const merge = (count: number) => mergeParts(parts.slice(0, count));
  expect(merge(3)).toEqual([
    { message: { role: "assistant", content: ["0", "1", "2"].map(textBlock) }, records: [0, 1, 2] },
  ]);
  expect(timeGrowth(merge, 1_000)).toBeLessThan(MAX_LINEAR_GROWTH);
});

test("a message can have more blocks than a call can have arguments", () => {
  const blocks = Array.from({ length: 200_000 }, (_, n) => textBlock(`${n}`));
  const large: SentPart = { ...part(1), message: { role: "assistant", content: blocks } };
  expect(mergeParts([part(0), large])[0]?.message.content).toHaveLength(200_001);
});

test("a text that is merged with the next one ends with a newline from 2.1.78 on", () => {
  const says = (client: string, role: SentMessage["role"], ...content: SentMessage["content"]): SentPart => ({
    ...{ record: 0, client },
    message: { role, content },
  });
  const result = { type: "tool_result", tool_use_id: "t1" };
  const merged = (client: string, role: SentMessage["role"] = "user") =>
    mergeParts([
      says(client, role, textBlock("one"), textBlock("two\n")),
      says(client, role, textBlock("three")),
      says(client, role, result),
      says(client, role, textBlock("four")),
    ])[0]?.message.content.map(({ text, type }) => text ?? type);
  expect(merged("2.1.78")).toEqual(["tool_result", "one", "two\n\n", "three", "four"]);
  for (const client of ["2.1.77", "2.0.76", ""])
    expect(merged(client), client).toEqual(["tool_result", "one", "two\n", "three", "four"]);
  expect(merged("2.1.330", "assistant")).toEqual(["one", "two\n", "three", "tool_result", "four"]);
});
