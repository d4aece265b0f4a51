// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionDetail } from "@/lib/wire/session";
import { HeadFacts } from "./head-facts";

const session = {
  gitBranch: "main",
  models: ["claude-opus-4-1", "claude-haiku-4-5"],
  startedAtMs: 0,
  lastActiveAtMs: 90_000,
  tokens: 1_900_000,
  cost: { microUsd: 980_000, unpricedTokens: 0, reportedMicroUsd: null },
  ownCost: { microUsd: 980_000, unpricedTokens: 0, reportedMicroUsd: null },
  pricesAsOf: "2026-11-20",
  counts: { agents: 0, toolErrors: 4, toolsDenied: 0, unreadable: 2 },
  serviceTiers: {},
  shared: null,
} as unknown as SessionDetail;

it("the facts beside a title are read out in the order in which they are seen, and once", async () => {
  await drawnPage().draw(<HeadFacts session={session} />);
  const read = [...document.querySelectorAll("span")].filter((one) => !one.closest("[aria-hidden=true]"));
  expect(read.map((one) => one.textContent)).toEqual([
    "branch main, opus-4-1 +1, 1 m 30 s, $0.98, 1.9M tok, 4 tool errors, 2 unreadable",
  ]);
  const seen = [...document.querySelectorAll("[aria-hidden=true] > span")].map((one) => one.textContent);
  expect(seen.toReversed().filter(Boolean).join(", ")).toBe(
    "main, opus-4-1 +1, 1 m 30 s, $0.98, 1.9M tok, 4, 2 unreadable",
  );
});
