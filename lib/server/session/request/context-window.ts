import { modelWindow } from "@/lib/log/request/model-window";
import { contextTokens } from "@/lib/log/table/message-tokens";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { RequestTokens } from "@/lib/wire/model-requests/messages";

/** What the API counted for a message; `null` where the log has no counts (before 1.0, and for synthetic messages). */
export function requestTokens(table: SessionTable, message: number): RequestTokens | null {
  if (message === -1) return null;
  const { messages } = table;
  const tokens = {
    context: contextTokens(table, message),
    input: messages.input.at(message),
    cacheRead: messages.cacheRead.at(message),
    cacheWrite: messages.cacheWrite.at(message),
    output: messages.output.at(message),
  };
  if (!Object.values(tokens).some((count) => count > 0)) return null;
  return { ...tokens, passes: table.passes.of(message)?.length ?? 1 };
}

/**
 * The window of the model that wrote a message (`modelWindow`); a session in which this model was ever sent more than a
 * usual one takes has a large one. Null where the log names no model, or another company's.
 */
export function contextWindow(table: SessionTable, message: number): number | null {
  const { messages, models } = table;
  const model = message === -1 ? -1 : messages.model.at(message);
  if (model === -1) return null;
  let mostSent = 0;
  for (let other = 0; other < messages.size; other++) {
    if (messages.model.at(other) === model) mostSent = Math.max(mostSent, contextTokens(table, other));
  }
  return modelWindow(models.at(model) ?? "", mostSent);
}
