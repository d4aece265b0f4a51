import { contextTokens } from "@/lib/log/table/message-tokens";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { inChainOrder, type SentRequest } from "./request-list";

/** A token is about this many characters, where nothing says what a text counted for. */
export const CHARS_A_TOKEN = 4;

/** The system prompt and the tools of a request, in characters, where the log has them. */
export type Preamble = { system: number; tools: number };

/**
 * For each request the tokens with which its conversation began and which no record accounts for: its system prompt and
 * tools, where the log has neither. They stay in every later request.
 * @param sizes characters of the blocks that first requests send; others are not read
 */
export function startTokens(
  table: SessionTable,
  requests: readonly SentRequest[],
  sizes: { readonly [block: number]: number },
): number[] {
  const starts: number[] = [];
  for (const request of inChainOrder(requests)) {
    const { before, added, message } = requests[request] as SentRequest;
    if (before !== -1) {
      starts[request] = starts[before] ?? 0;
      continue;
    }
    let chars = 0;
    for (const record of added) for (const block of blocksOf(table, record)) chars += sizes[block] ?? 0;
    starts[request] = Math.max(0, contextTokens(table, message) - chars / CHARS_A_TOKEN);
  }
  return starts;
}

/** About how many tokens of a request are its system prompt and its tools. @param start as `startTokens` counts it */
export function baseTokens(
  table: SessionTable,
  { message }: SentRequest,
  start: number,
  preamble: Preamble | null,
): number {
  if (preamble) return (preamble.system + preamble.tools) / CHARS_A_TOKEN;
  return Math.min(contextTokens(table, message), start);
}
