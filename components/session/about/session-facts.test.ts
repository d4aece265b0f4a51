import { expect, test } from "vitest";
import type { Usage } from "@/lib/wire/library";
import type { SessionDetail } from "@/lib/wire/session";
import { costLines, endOf, formatCounts, formatVersions, usageParts } from "./session-facts";

const usage: Usage = {
  input: 12,
  output: 30,
  cacheWrite: 100,
  cacheWrite5m: 60,
  cacheWrite1h: 0,
  cacheRead: 900,
  webSearches: 0,
  webFetches: 0,
};

test("tokens are split without counting any twice", () => {
  const parts = usageParts({ usage });
  expect(parts.map(({ name, tokens }) => `${name} ${tokens}`)).toEqual([
    "Input 12",
    "Cache read 900",
    "Cache write 40",
    "Cache write, 5 m 60",
    "Output 30",
  ]);
  expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(12 + 900 + 100 + 30);
});

test("versions are in order, with their records where there are several", () => {
  expect(formatVersions({ "2.1.330": 12 })).toBe("2.1.330");
  expect(formatVersions({ "2.1.110": 1, "2.1.42": 120 })).toBe("2.1.42 (120 records), 2.1.110 (1 record)");
  expect(formatVersions({})).toBe("no version in the log");
});

test("totals tell turns and calls always, the others where there are any, and branches where there are several", () => {
  const none = { turns: 0, toolCalls: 0, toolErrors: 0, toolsDenied: 0, agents: 0 };
  const counts = { ...none, files: 0, branches: 1, compactions: 0 } as SessionDetail["counts"];
  const told = (more: Partial<typeof counts>) =>
    formatCounts({ ...counts, ...more }).replaceAll("\u00a0", " ");
  expect(told({})).toBe("0 turns · 0 tool calls");
  expect(told({ turns: 1, toolCalls: 1200, toolErrors: 3, toolsDenied: 1, agents: 1, branches: 2 })).toBe(
    "1 turn · 1,200 tool calls · 2 tool errors · 1 denied · 1 agent · 2 branches",
  );
  expect(told({ files: 1, compactions: 2 })).toBe("0 turns · 0 tool calls · 1 file changed · 2 compactions");
  expect(formatCounts(counts)).toBe("0\u00a0turns · 0\u00a0tool\u00a0calls");
});

test("only a session that is over has ended", () => {
  expect(endOf({ state: "ended", lastActiveAtMs: 5 })).toEqual({ label: "Ended", atMs: 5 });
  expect(endOf({ state: "interrupted", lastActiveAtMs: 5 }).label).toBe("Ended");
  expect(endOf({ state: "running", lastActiveAtMs: null })).toEqual({ label: "Last active", atMs: null });
});

test("what a session cost is told with its agents, without them, and as the client has it", () => {
  const counts = { agents: 2, messages: 10 } as SessionDetail["counts"];
  const cost = { microUsd: 2_500_000, unpricedTokens: 0, reportedMicroUsd: 2_500_004 };
  const session = {
    cost,
    ownCost: { microUsd: 2_000_000, unpricedTokens: 0 },
    pricesAsOf: "2026-10-24",
    counts,
  };
  expect(costLines(session)).toEqual([
    {
      name: "API-equivalent",
      amount: "$2.50",
      about: "At list prices as of 24 Oct 2026, each request once, agents included",
    },
    { name: "Own only", amount: "$2.00", about: "Without 2 agents" },
    { name: "Claude Code’s own", amount: "$2.50", about: "What it wrote in the log: the same" },
  ]);
  const [, , reported] = costLines({ ...session, cost: { ...cost, reportedMicroUsd: 2_600_000 } });
  expect(reported?.about).toContain("$0.10 more. It also counts requests without an answer in the log");
  // Agents of the client's own, as for suggesting prompts (2.1.29), are no entries of the list.
  expect(costLines({ ...session, counts: { ...session.counts, agents: 0 } })[1]).toEqual({
    ...{ name: "Own only", amount: "$2.00", about: "Without the client’s own agents, which are not listed" },
  });
  const unpriced = { microUsd: null, unpricedTokens: 700, reportedMicroUsd: 900_000 };
  expect(costLines({ ...session, cost: unpriced }).at(-1)?.about).toBe(
    "What it wrote in the log: $0.90 more. It also counts what has no known price here",
  );
});
