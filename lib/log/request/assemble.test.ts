import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { mergeParts, type SentPart } from "./assemble";
import { textBlock } from "./sent-message";

const part = (record: number): SentPart => ({
  record,
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
  const large: SentPart = { record: 1, message: { role: "assistant", content: blocks } };
  expect(mergeParts([part(0), large])[0]?.message.content).toHaveLength(200_001);
});
