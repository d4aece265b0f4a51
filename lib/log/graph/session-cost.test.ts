import { expect, it } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { requestOf, UsageSum, usageOfMessage } from "./session-cost";

const PRICES = new PriceTable();

/** An answer of a model, which used this. */
function said(id: string, model: string, usage: Record<string, number>): TestLine {
  return { file: 0, json: { type: "assistant", uuid: id, message: { id, model, content: id, usage } } };
}

const SONNET = "claude-sonnet-4-5-20250929";
const HAIKU = "claude-haiku-4-5-20251001";

it("what a message of one model used names that model; of what counts no tokens nothing is known", () => {
  const table = tableOf([said("m1", SONNET, { input_tokens: 3, output_tokens: 5 }), said("m2", SONNET, {})]);
  expect(usageOfMessage(table, 0, PRICES)).toMatchObject({ input: 3, output: 5, models: [SONNET] });
  expect(usageOfMessage(table, 1, PRICES)).toBe(null);
  expect(usageOfMessage(table, -1, PRICES)).toBe(null);
});

it("sums of messages are added up kind by kind, and each model is named once", () => {
  const table = tableOf([
    said("m1", SONNET, { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 7 }),
    said("m2", HAIKU, { input_tokens: 11, output_tokens: 13, cache_creation_input_tokens: 17 }),
    said("m3", SONNET, { input_tokens: 19, output_tokens: 23 }),
  ]);
  const [one, both] = [new UsageSum(), new UsageSum()];
  one.addMessage(table, 0, PRICES);
  for (const message of [1, 2]) both.addMessage(table, message, PRICES);
  const microUsd = one.cost.microUsd + both.cost.microUsd;
  both.addAll(one);
  expect(both.usage).toMatchObject({
    input: 33,
    output: 41,
    cacheRead: 7,
    cacheWrite5m: 17,
    cacheWrite1h: 0,
  });
  expect(both.usage?.models.toSorted()).toEqual([HAIKU, SONNET]);
  expect(both.cost.microUsd).toBe(microUsd);
  expect(microUsd).toBeGreaterThan(PRICES.cost(requestOf(table, 2)).microUsd);
});
