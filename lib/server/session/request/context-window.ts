import type { SessionTable } from "@/lib/log/table/session-table";
import type { RequestTokens } from "@/lib/wire/messages";

const USUAL_TOKENS = 200_000;
const LARGE_TOKENS = 1_000_000;

/** What the API counted for a message; `null` where the log has no counts (before 1.0, and for synthetic messages). */
export function requestTokens({ messages }: SessionTable, message: number): RequestTokens | null {
  if (message === -1) return null;
  const tokens = {
    input: messages.input.at(message),
    cacheRead: messages.cacheRead.at(message),
    cacheWrite: messages.cacheWrite.at(message),
    output: messages.output.at(message),
  };
  return Object.values(tokens).some((count) => count > 0) ? tokens : null;
}

/**
 * The window of the model that wrote a message. No log names it: 200,000 tokens are usual, and a session in which
 * this model was ever sent more, or whose name says so (`[1m]`), has the large one.
 */
export function contextWindow({ messages, models }: SessionTable, message: number): number | null {
  const model = message === -1 ? -1 : messages.model.at(message);
  const name = model === -1 ? null : models.at(model);
  if (!name?.includes("claude")) return null;
  if (name.includes("[1m]")) return LARGE_TOKENS;
  for (let other = 0; other < messages.size; other++) {
    if (messages.model.at(other) !== model) continue;
    const sent = messages.input.at(other) + messages.cacheRead.at(other) + messages.cacheWrite.at(other);
    if (sent > USUAL_TOKENS) return LARGE_TOKENS;
  }
  return USUAL_TOKENS;
}
