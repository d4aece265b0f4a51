import { threadQuery } from "@/components/thread/open-thread";
import { copyAndSay, copyRow, readRowMarkdown } from "@/components/thread/row-text";
import type { ThreadStore } from "@/components/thread/thread-store";
import { toast } from "@/components/ui/toast";
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

/** More rows than these are an export of the session: each of an agent's is read for itself. */
const MAX_ROWS_OF_AGENT = 200;

/**
 * Copies what is selected, and says so, or why not: of one row its text; several, and a run of calls, as Markdown, without
 * what this detail hides. Those of an agent's thread, of which no export has a part, are put together here.
 */
export async function copySelectedRows(thread: ThreadStore): Promise<void> {
  const { agent, branch, detail } = thread.get().choice;
  const row = thread.selected()?.row ?? null;
  const calls = row?.kind === "run" ? { from: row.recordId, to: row.lastRecordId, rows: row.calls } : null;
  const chosen = selectionOf(thread.chosen());
  const selection = chosen ?? calls;
  if (agent !== null) return copyRowsOfAgent(thread);
  if (selection === null) return copyRow(thread.sessionId, row);
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

async function copyRowsOfAgent(thread: ThreadStore): Promise<void> {
  const chosen = thread.chosen();
  if (chosen === null) return copyRow(thread.sessionId, thread.selected()?.row ?? null);
  const { from, rows } = chosen;
  if (rows > MAX_ROWS_OF_AGENT)
    return toast(`Of an agent’s thread at most ${MAX_ROWS_OF_AGENT} rows are copied at once`, "err");
  await copyAndSay(readRowsOfAgent(thread, from, rows), `${formatPlural(rows, "row")} copied as Markdown`);
}

/** Rows as they are on screen, of which the list may not hold all. */
async function readRowsOfAgent(thread: ThreadStore, from: number, count: number): Promise<string> {
  const query = { ...threadQuery(thread.shown()), from, count };
  const { rows } = await thread.source.rows(thread.sessionId, query);
  const texts: string[] = [];
  for (const row of rows) {
    const text = await readRowMarkdown(thread.sessionId, row);
    if (text) texts.push(text);
  }
  return texts.join("\n\n");
}
