import { expect, test } from "vitest";
import { linesOf } from "@/lib/testing/raw-lines";
import { openRecording } from "@/lib/testing/recordings";
import { modelWindow } from "./model-window";

test.each([
  // 1M by themselves, as the client of 2.1.332 lists them.
  ["claude-opus-4-7", 1_000_000],
  ["claude-opus-4-8", 1_000_000],
  ["claude-opus-5", 1_000_000],
  ["claude-opus-5-5", 1_000_000],
  ["claude-sonnet-5", 1_000_000],
  ["claude-sonnet-5-5", 1_000_000],
  ["claude-haiku-5-5", 1_000_000],
  ["claude-fable-5-2", 1_000_000],
  ["claude-mythos-5-1", 1_000_000],
  ["claude-opus-5-5-20261001", 1_000_000],
  ["us.anthropic.claude-opus-5-5-20261001-v1:0", 1_000_000],
  ["claude-opus-5-5@20261001", 1_000_000],
  // And those that have it when they are asked.
  ["claude-sonnet-4-6", 200_000],
  ["claude-opus-4-6", 200_000],
  ["claude-opus-4-6[1m]", 1_000_000],
  ["claude-sonnet-4-5-20250929", 200_000],
  ["claude-haiku-4-5-20251001", 200_000],
  ["claude-opus-4-1-20250805", 200_000],
  ["claude-opus-4-20250514", 200_000],
  ["claude-3-7-sonnet-20250219", 200_000],
  ["claude-3-5-haiku-20241022", 200_000],
  ["gpt-6", null],
  ["<synthetic>", null],
])("%s takes %s tokens", (model, tokens) => {
  expect(modelWindow(model, 0)).toBe(tokens);
});

test("a request that was larger than the usual window had a large one", () => {
  expect(modelWindow("claude-sonnet-4-6", 200_000)).toBe(200_000);
  expect(modelWindow("claude-sonnet-4-6", 200_001)).toBe(1_000_000);
});

test.each(["1.0.128", "2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110", "2.1.330"] as const)(
  "%s: it is what the client's own /context says",
  async (version) => {
    const { folder } = await openRecording(version);
    const said: string[] = [];
    for (const { id } of folder.catalog.summaries()) {
      const lines = linesOf(folder.catalog, id);
      const [ours] = lines.flatMap(({ message }) => {
        const model = message?.model;
        return model?.startsWith("claude") ? [modelWindow(model, 0)] : [];
      });
      for (const [, window] of JSON.stringify(lines).matchAll(/[\d.]+k\/(200k|1m) tokens/g))
        said.push(`${window} ${ours}`);
    }
    expect(said.length).toBeGreaterThan(0);
    for (const one of said) expect(["200k 200000", "1m 1000000"]).toContain(one);
  },
);
