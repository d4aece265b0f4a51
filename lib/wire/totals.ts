import type { Usage } from "./session";

/**
 * What several sessions hold together. A message and a prompt count once, however many sessions' files
 * repeat them: a fork adds only what is its own.
 */
export type Totals = { turns: number; messages: number; usage: Usage };
