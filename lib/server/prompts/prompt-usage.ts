import { firstWords, titleOfPrompt } from "@/lib/format/text";
import type { SessionSummary } from "@/lib/wire/library";
import {
  type PromptUsage,
  type UsagePromptSort,
  type UsagePromptsResponse,
  usageTokens,
} from "@/lib/wire/usage";
import type { SessionPrompt } from "./list-prompts";

/** The most characters of a prompt in the list of what prompts cost. */
const MAX_SHOWN = 240;

const TOKENS = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;

/** What came of a prompt, `withAgents` also through those that it started. */
export function promptUsage(
  { id, title, projectId }: SessionSummary,
  { recordId, text, atMs, durationMs, own, agents }: SessionPrompt,
  withAgents: boolean,
): PromptUsage {
  const parts = [own, withAgents ? agents : null].filter((one) => one !== null);
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  for (const part of parts) for (const kind of TOKENS) sum[kind] += part[kind];
  const unpricedTokens = parts.reduce((all, { cost }) => all + cost.unpricedTokens, 0);
  const microUsd = parts.reduce((all, { cost }) => all + (cost.microUsd ?? 0), 0);
  return {
    sessionId: id,
    title,
    projectId,
    recordId,
    prompt: firstWords(titleOfPrompt(text), MAX_SHOWN),
    atMs,
    durationMs,
    ...sum,
    costMicroUsd: microUsd === 0 && unpricedTokens > 0 ? null : microUsd,
    unpricedTokens,
    agentsMicroUsd: withAgents ? (agents?.cost.microUsd ?? null) : null,
    models: [...new Set(parts.flatMap(({ models }) => models))],
  };
}

/** All of them together, unpriced where nothing of it has a price. */
export function sumOfPrompts(prompts: readonly PromptUsage[]): UsagePromptsResponse["totals"] {
  const sum = { prompts: prompts.length, tokens: 0, microUsd: 0, unpricedTokens: 0, durationMs: 0 };
  for (const prompt of prompts) {
    sum.tokens += usageTokens(prompt);
    sum.microUsd += prompt.costMicroUsd ?? 0;
    sum.unpricedTokens += prompt.unpricedTokens;
    sum.durationMs += prompt.durationMs ?? 0;
  }
  const { microUsd, ...totals } = sum;
  return { ...totals, costMicroUsd: microUsd === 0 && sum.unpricedTokens > 0 ? null : microUsd };
}

const byTime = (a: PromptUsage, b: PromptUsage) => (b.atMs ?? 0) - (a.atMs ?? 0);
/** Those without a price come last. */
const byCost = (a: PromptUsage, b: PromptUsage) =>
  (b.costMicroUsd ?? -1) - (a.costMicroUsd ?? -1) || usageTokens(b) - usageTokens(a) || byTime(a, b);

/** How the list is ordered, by what. */
export const PROMPT_ORDERS: Record<UsagePromptSort, (a: PromptUsage, b: PromptUsage) => number> = {
  cost: byCost,
  tokens: (a, b) => usageTokens(b) - usageTokens(a) || byTime(a, b),
  duration: (a, b) => (b.durationMs ?? -1) - (a.durationMs ?? -1) || byTime(a, b),
  time: byTime,
};
