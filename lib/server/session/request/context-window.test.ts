import { expect, test } from "vitest";
import { SessionTable } from "@/lib/log/table/session-table";
import { contextWindow, requestTokens } from "./context-window";

type Sent = { model: string; input?: number; cacheRead?: number; cacheWrite?: number; output?: number };

/** A table with these messages alone. */
function tableOf(messages: readonly Sent[]): SessionTable {
  const table = new SessionTable();
  const none = {
    tier: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    webSearches: 0,
    webFetches: 0,
    atMs: 0,
    terms: 0,
    reported: 0,
  };
  const uncounted = { ...none, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { model, ...counts } of messages)
    table.messages.push({ ...uncounted, ...counts, model: table.models.intern(model) });
  return table;
}

test("what was sent is what the API counted, cache included; without counts nothing is known", () => {
  const table = tableOf([
    { model: "claude-opus-5-5", input: 4, cacheRead: 12_258, cacheWrite: 312, output: 159 },
    { model: "m" },
  ]);
  expect(requestTokens(table, 0)).toEqual({
    context: 12_574,
    ...{ input: 4, cacheRead: 12_258, cacheWrite: 312, output: 159 },
    passes: 1,
  });
  expect(requestTokens(table, 1)).toBeNull();
  expect(requestTokens(table, -1)).toBeNull();
});

test("a model's window is the usual one until one of its requests was larger", () => {
  const large = { model: "claude-sonnet-4-6", cacheRead: 260_000 };
  const table = tableOf([
    { model: "claude-sonnet-4-6", input: 10 },
    { model: "claude-haiku-4-5" },
    { model: "gpt" },
  ]);
  expect([0, 1, 2, -1].map((message) => contextWindow(table, message))).toEqual([
    200_000,
    200_000,
    null,
    null,
  ]);
  expect(contextWindow(tableOf([{ model: "claude-sonnet-4-6", input: 10 }, large]), 0)).toBe(1_000_000);
  expect(contextWindow(tableOf([{ model: "claude-opus-4-6[1m]" }]), 0)).toBe(1_000_000);
  expect(contextWindow(tableOf([{ model: "claude-opus-5-5", input: 10 }]), 0)).toBe(1_000_000);
});

test("what an answer of several passes was sent is what its last pass was, which is no reason for a larger window", () => {
  const table = tableOf([
    { model: "claude-sonnet-4-6", input: 4, cacheRead: 301_000, cacheWrite: 1_500, output: 445 },
  ]);
  const pass = (cacheRead: number, cacheWrite: number, output: number) => {
    return { input: 2, output, cacheRead, cacheWrite, cacheWrite5m: 0, cacheWrite1h: cacheWrite };
  };
  table.passes.note(0, [pass(150_000, 1_000, 45), pass(151_000, 500, 400)]);
  expect(requestTokens(table, 0)).toMatchObject({ context: 151_502, cacheRead: 301_000, output: 445 });
  expect(contextWindow(table, 0)).toBe(200_000);
});
