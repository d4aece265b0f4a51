import type { AgentId, RecordId } from "../ids";

/**
 * Why a request missed the cache, the first thing that differs from the request before. `settings`: thinking or effort;
 * `block`: a message that was there before is another one now, or gone; `cleared`: the client took old results out;
 * `client`: another version of it wrote the request; `preamble`: system prompt or tools, of a log that has neither;
 * `unlogged`: something else that the log does not hold; `evicted`: nothing that was sent differs.
 */
export const MISS_CAUSES = [
  "expired",
  "model",
  "speed",
  "tools",
  "system",
  "settings",
  "block",
  "order",
  "cleared",
  "compaction",
  "rewind",
  "client",
  "preamble",
  "unlogged",
  "evicted",
] as const;
export type MissCause = (typeof MISS_CAUSES)[number];

/** What differs: names, texts cut short, or times. Only what a cause has is given. */
export type MissDifference = {
  /** Tools by name. */
  added?: string[];
  removed?: string[];
  changed?: string[];
  /** A model, a version, a setting, or the text around the first character that differs. */
  before?: string;
  after?: string;
  /** How long the cache had not been used, and how long it is kept. */
  ageMs?: number;
  ttlMs?: number;
  /** The place of the message in the request, from 0. */
  message?: number;
};

/** A request that paid again for what the one before had left in the cache. */
export type RequestMiss = {
  cause: MissCause;
  /** The record that shows what differs, or the request's own. */
  recordId: RecordId;
  block: number | null;
  lostTokens: number;
  /** What reading these tokens from the cache would have saved, in millionths of a dollar; null without a price. */
  microUsd: number | null;
  /** Both requests are in the client's own log; else the conversation was rebuilt, without system prompt and tools. */
  exact: boolean;
  difference: MissDifference | null;
};

/** What an advisor was sent and answered while an answer was made: `input`, with what its cache held. */
export type AdvisorPass = {
  model: string;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
};

/** A request to the model: its answer's first record and counts, and what filled the window. */
export type SessionRequest = {
  recordId: RecordId;
  /** When its answer began, in epoch milliseconds; null where the log has no time. */
  atMs: number | null;
  /** Null for the main thread. */
  agentId: AgentId | null;
  model: string;
  /**
   * How many tokens the window held. The counts below are of all passes in which the API made the answer
   * (`usage.iterations`, 2.1.330), each of which is sent what those before it were: this is what the last one was sent.
   */
  context: number;
  /** In how many passes; 1 for most. */
  passes: number;
  /** A second model's passes in the answer (`advisor_message`, 2.1.98), in their order. The other counts leave them out. */
  advisors: readonly AdvisorPass[];
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  /** How many tokens the model takes; null for a model that is not known. */
  window: number | null;
  /** The compaction that stands right before it. */
  compactedAt: RecordId | null;
  /**
   * Tokens by what they are: `base` (system prompt and tools, where the log has neither), `system`, `tools`, `summary`,
   * `prompts`, `answers`, `thinking`, `reports`, `attachments`, and `result:<tool>`. They add up to `context`;
   * each is estimated by its share of the characters.
   */
  parts: { [part: string]: number };
  miss: RequestMiss | null;
};

/** `…/requests`, in the order of their times. */
export type SessionRequestsResponse = readonly SessionRequest[];

/** A thread that made requests: how many, and the first of them. `agentId`: null for the main thread. */
export type RequestingThread = { agentId: AgentId | null; first: RecordId; requests: number };

/**
 * `…/requests?limit=`: requests of one thread (`agentId`), in the order of their times; `total` is how many it has.
 * `threads`: all that made some, the main one first, in the first answer alone. An answer is no larger than a megabyte,
 * so it may have fewer than were asked for.
 */
export type RequestsPage = {
  agentId: AgentId | null;
  threads: RequestingThread[];
  requests: SessionRequest[];
  total: number;
  nextCursor: string | null;
};
