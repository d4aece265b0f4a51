import { copyAndSay, copyRow } from "@/components/thread/row-text";
import type { ThreadStore } from "@/components/thread/thread-store";
import { exportQuery, readExport } from "@/lib/client/download-export";
import { formatPlural } from "@/lib/format/format";
import type { RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { ReadSelection } from "./about/export-part";

/** Selected rows as records: a run stands for all of its calls. */
export function selectionOf(chosen: ReturnType<ThreadStore["chosen"]>): ReadSelection | null {
  if (chosen === null) return null;
  const { first, last, rows } = chosen;
  return { from: first.recordId, to: lastRecord(last), rows };
}

function lastRecord(row: Row): RecordId {
  return row.kind === "run" ? row.lastRecordId : row.recordId;
}

/**
 * Copies what is selected, and says so, or why not: of one row its text; several, and a run of calls, as Markdown, without
 * what this detail hides. Only the main thread’s rows can be copied together, as only they can be exported.
 */
export async function copySelectedRows(thread: ThreadStore): Promise<void> {
  const { agent, branch, detail } = thread.get().choice;
  const row = thread.selected()?.row ?? null;
  const calls = row?.kind === "run" ? { from: row.recordId, to: row.lastRecordId, rows: row.calls } : null;
  const chosen = selectionOf(thread.chosen());
  const selection = chosen ?? calls;
  if (selection === null || agent !== null) return copyRow(thread.sessionId, row);
  const { from, to, rows } = selection;
  const hidesTools = detail === "prompts" || detail === "conversation";
  const query = exportQuery({
    ...{ format: "md", branch, records: `${from}..${to}`, tilde: 1, agents: 0, images: 0 },
    tools: hidesTools ? 0 : null,
    thinking: hidesTools ? 0 : null,
  });
  const path = `/api/sessions/${encodeURIComponent(thread.sessionId)}/export?${query}`;
  await copyAndSay(readExport(path), `${formatPlural(rows, chosen ? "row" : "call")} copied as Markdown`);
}
