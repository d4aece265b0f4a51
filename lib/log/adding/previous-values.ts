import type { SessionRecord } from "@/lib/log/records/session-record";
import { isDenied, isFailure } from "@/lib/log/table/kinds";
import { messageTokens } from "@/lib/log/table/message-tokens";
import type { SessionTable } from "@/lib/log/table/session-table";
import { callBlockedByHook, clearedCalls } from "./add-record";
import { stoppedCalls } from "./add-result";

/** The values that calls and messages had before added lines changed them. */
export type PreviousValues = {
  calls: Map<number, { failed: boolean; denied: boolean; added: number; removed: number }>;
  tokens: Map<number, number>;
};

/** Notes the current values of everything that `record`, about to be added to a file's records, will change. */
export function notePreviousValues(
  table: SessionTable,
  file: number,
  record: SessionRecord,
  before: PreviousValues,
): void {
  const named = callIds(record).map((id) =>
    id === null ? undefined : table.callIn(file, table.toolIds.find(id)),
  );
  for (const call of [...named, ...stoppedCalls(table, record)]) {
    if (call === undefined || before.calls.has(call)) continue;
    const { calls } = table;
    before.calls.set(call, {
      failed: isFailure(calls.state.at(call)),
      denied: isDenied(calls.state.at(call)),
      added: calls.added.at(call),
      removed: calls.removed.at(call),
    });
  }
  const id = record.kind === "assistant" ? record.messageId : null;
  const message = id === null ? -1 : table.messageIds.find(id);
  if (message !== -1 && !before.tokens.has(message))
    before.tokens.set(message, messageTokens(table, message));
}

function callIds(record: SessionRecord): (string | null)[] {
  if (record.kind === "system") return clearedCalls(record);
  if (record.kind === "attachment") return [callBlockedByHook(record)];
  if (record.kind !== "user" && record.kind !== "assistant") return [];
  return record.blocks.map((block) => {
    if (block.kind === "tool-use") return block.id;
    return block.kind === "tool-result" ? block.toolUseId : null;
  });
}
