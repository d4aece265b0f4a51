import type { AgentId, ProjectId, RecordId, SessionId } from "./ids";
import type { MissCause } from "./model-requests/session-requests";

/** What usage can be added up by. */
export const USAGE_BY = [
  "day",
  "week",
  "month",
  "project",
  "model",
  "branch",
  "agent",
  "tool",
  "session",
] as const;

export type UsageBy = (typeof USAGE_BY)[number];

/**
 * What requests would cost at the API's list prices, in millionths of a dollar, each request once. `microUsd` is `null`
 * where none of them has a price; `unpricedTokens` are those of requests that have none, and are not in it.
 */
export type Cost = { microUsd: number | null; unpricedTokens: number };

/** Tokens of requests, each once, and what they would cost. */
export type RequestUsage = {
  input: number;
  output: number;
  cacheRead: number;
  /** What the log does not say to be kept for an hour is counted here. */
  cacheWrite5m: number;
  cacheWrite1h: number;
  cost: Cost;
  /** Those with tokens, in the order of their first request. */
  models: string[];
};

/** Requests together, each once however many sessions hold a copy of it. */
export type UsageSums = {
  requests: number;
  /** How many sessions they were made in. */
  sessions: number;
  input: number;
  output: number;
  cacheRead: number;
  /** What the log does not say to be kept for an hour is counted here. */
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
  /** At the API's list prices, in millionths of a dollar; `null` where nothing has a price. */
  costMicroUsd: number | null;
  /** Tokens of requests without a price, which are not in the cost. */
  unpricedTokens: number;
};

/**
 * `key`: the first day of a time by the clock that was asked for (`2026-11-19`, of a week its Monday, of a month `2026-11`), a
 * project's or session's id, the name of a model, git branch, type of agent or
 * tool; "" for what has none, as the main thread has no type of agent, and `?` for a type that is not known. `name`: what a reader calls
 * it. `models`: what each model has of it, the dearest first.
 */
export type UsageRow = UsageSums & {
  key: string;
  name: string;
  models: { model: string; tokens: number; costMicroUsd: number | null }[];
};

/**
 * `GET /api/usage`. Times come newest first, all else the dearest first. A request is counted on the day on which its
 * answer began, in the first session that holds it, and with the tool that it called first. `complete`: every session
 * has been read. `rows` are a page of them where a limit was given; `total` is how many there are, and `totals` are of
 * all of them.
 */
export type UsageResponse = {
  by: UsageBy;
  rows: UsageRow[];
  total: number;
  nextCursor: string | null;
  totals: UsageSums;
  /** The day up to which price changes are known. */
  pricesAsOf: string;
  complete: boolean;
};

/** All tokens of a row. */
export function usageTokens(
  row: Pick<UsageSums, "input" | "output" | "cacheRead" | "cacheWrite5m" | "cacheWrite1h">,
): number {
  return row.input + row.output + row.cacheRead + row.cacheWrite5m + row.cacheWrite1h;
}

/** Requests that missed the cache, together. `microUsd`: what they cost more than with it; `null` where none has a price. */
export type MissSums = {
  requests: number;
  lostTokens: number;
  microUsd: number | null;
  /** Lost tokens of requests without a price, which are not in the cost. */
  unpricedTokens: number;
};

/** A request that missed the cache. `recordId`: the first line of its answer. The rest is as a `RequestMiss` has it. */
export type LibraryMiss = {
  recordId: RecordId;
  /** Equal for copies of one request. */
  key: string;
  agentId: AgentId | null;
  atMs: number | null;
  model: string;
  cause: MissCause;
  lostTokens: number;
  microUsd: number | null;
  exact: boolean;
};

/** `sessionId`: the first session that holds the request. */
export type UsageMiss = Omit<LibraryMiss, "key"> & {
  sessionId: SessionId;
  title: string;
  projectId: ProjectId;
};

/**
 * `GET /api/usage/misses`: the costliest of the requests that missed the cache, over sessions, and what each cause cost,
 * the dearest first. `causes` and `totals` are of all causes; `misses` of the one asked for. `sessions`: how many have been
 * looked through, and how many may have some; asked again, the answer goes on until it is `complete`.
 */
export type UsageMissesResponse = {
  causes: (MissSums & { cause: MissCause })[];
  totals: MissSums;
  misses: UsageMiss[];
  sessions: { done: number; total: number };
  pricesAsOf: string;
  complete: boolean;
};

/** How the prompts of all sessions are ordered: the most first, or the latest. */
export const USAGE_PROMPT_SORTS = ["cost", "tokens", "duration", "time"] as const;

export type UsagePromptSort = (typeof USAGE_PROMPT_SORTS)[number];

/**
 * A prompt and what came of it until the next one: tokens and cost of its own requests and of the agents that it started,
 * `agentsMicroUsd` of these alone, `null` where there are none. `recordId`: its turn's. `durationMs`: without the time
 * in which its person was away.
 */
export type PromptUsage = {
  sessionId: SessionId;
  title: string;
  projectId: ProjectId;
  recordId: RecordId;
  /** Its beginning, on one line; empty where it was an image alone. */
  prompt: string;
  atMs: number | null;
  durationMs: number | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  /** In millionths of a dollar; `null` where nothing has a price. */
  costMicroUsd: number | null;
  unpricedTokens: number;
  agentsMicroUsd: number | null;
  models: string[];
};

/**
 * `GET /api/usage/prompts`: the prompts of all sessions of which most came, each in the first session that holds it.
 * `total` and `totals` are of all that used tokens, also where fewer are listed. `sessions` and `complete` as for misses.
 */
export type UsagePromptsResponse = {
  prompts: PromptUsage[];
  total: number;
  totals: {
    prompts: number;
    tokens: number;
    costMicroUsd: number | null;
    unpricedTokens: number;
    durationMs: number;
  };
  sessions: { done: number; total: number };
  pricesAsOf: string;
  complete: boolean;
};
