/** Tokens, each message counted once however many lines or files repeat it. */
export type Usage = {
  input: number;
  output: number;
  cacheWrite: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  cacheRead: number;
  webSearches: number;
  webFetches: number;
};

/**
 * What several sessions hold together. A message and a prompt count once, however many sessions' files
 * repeat them: a fork adds only what is its own.
 */
export type Totals = { turns: number; messages: number; usage: Usage };
