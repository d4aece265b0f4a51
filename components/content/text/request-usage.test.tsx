import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { RequestUsage } from "@/lib/wire/usage";
import { TurnUsageFigure, TurnUsageLines, usageWords } from "./request-usage";

const OWN: RequestUsage = {
  input: 1204,
  output: 60,
  cacheRead: 1_200_000,
  cacheWrite5m: 40_000,
  cacheWrite1h: 8000,
  cost: { microUsd: 300_000, unpricedTokens: 0 },
  models: ["claude-opus-4-5-20251101"],
};
const AGENTS: RequestUsage = {
  ...{ input: 10, output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  cost: { microUsd: 120_000, unpricedTokens: 0 },
  models: ["claude-haiku-4-5"],
};
const UNPRICED: RequestUsage = { ...AGENTS, cost: { microUsd: null, unpricedTokens: 15 } };

const text = (element: React.ReactElement) => renderToStaticMarkup(element).replace(/<[^>]*>/g, "");
const figure = (own: RequestUsage | null, agents: RequestUsage | null) =>
  text(<TurnUsageFigure usage={{ own, agents }} onOpen={null} />);

test("the usage of requests is one line, without empty parts", () => {
  expect(usageWords(OWN)).toBe(
    "$0.30 · opus-4-5 · in 1,204 · out 60 · cache read 1.2M · cache written 40k for 5 m, 8k for 1 h",
  );
  expect(usageWords(AGENTS)).toBe("$0.12 · haiku-4-5 · in 10 · out 5");
});

test("a turn's figure includes its agents, marks unpriced parts, and is missing if nothing is known", () => {
  expect(figure(OWN, null)).toBe("1.2M tok · $0.30");
  expect(figure(OWN, AGENTS)).toBe("1.2M tok · $0.42");
  expect(figure(null, AGENTS)).toBe("15 tok · $0.12");
  expect(figure(OWN, UNPRICED)).toBe("1.2M tok · $0.30 +");
  expect(figure(UNPRICED, null)).toBe("15 tok · unpriced");
  expect(figure(null, null)).toBe("");
});

test("the lines below separate its own usage from its agents'", () => {
  const lines = text(<TurnUsageLines usage={{ own: OWN, agents: AGENTS }} />);
  expect(lines).toContain("$0.42 agents included, API-equivalent");
  expect(lines).toContain("own only $0.30");
  expect(lines).toContain("agents $0.12");
  expect(text(<TurnUsageLines usage={{ own: OWN, agents: null }} />)).not.toContain("own only");
});
