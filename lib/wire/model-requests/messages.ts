import type { RecordId } from "../ids";

/** A message as the Messages API takes it. */
export type ApiMessage = { role: "user" | "assistant" | "system"; content: unknown };

/** Where a message of a request comes from and how much of it is new. One for each message, in order. */
export type MessageNote = {
  /** Empty for what the client sent and did not log, and for what stands in a session that this one continues. */
  recordIds: RecordId[];
  /** UTF-16 units of its texts, inputs and results; images count as nothing. */
  chars: number;
  /** False if the request before this one had it as well. */
  isNew: boolean;
};

/** What a request is made of, in characters: the log has no tokens of single texts. */
export type ContextShares = {
  system: number;
  tools: number;
  memory: number;
  reminders: number;
  files: number;
  toolOutput: number;
  conversation: number;
};

/**
 * What the API counted for a request and its answer, in all passes in which it was made (`usage.iterations`, 2.1.330).
 * `context`: what its last pass was sent, and so how much the window held; in one pass it is the sum of the next three.
 */
export type RequestTokens = {
  context: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** In how many passes; 1 for most. Where there were more, the counts are higher than `context`. */
  passes: number;
};

/**
 * `…/messages?at=`: what the model was sent. `recorded` is the client's own log of the request
 * (2.1.330), its hashes recomputed; `rebuilt` is made from the records, without reminders, system
 * prompt and tools.
 */
export type MessagesResponse = {
  at: RecordId;
  source: "recorded" | "rebuilt";
  verified?: { matched: number; total: number };
  messages: ApiMessage[];
  system?: unknown;
  tools?: unknown;
  model: string | null;
  /** Of the answer that `at` is a line of; `null` for any other record, and where the log has no counts. */
  tokens: RequestTokens | null;
  /** How many tokens the model takes, as far as its name and its requests tell; `null` for one that is not known. */
  window: number | null;
  notes: MessageNote[];
  shares: ContextShares;
  /**
   * How many characters of this conversation were a token, by how much its requests have grown as the API counts them;
   * `null` where the log does not tell: four are usual.
   */
  charsAToken: number | null;
  /** Messages of the request before that this one no longer has; `null` for a first request. */
  dropped: { messages: number; chars: number; compacted: boolean } | null;
};
