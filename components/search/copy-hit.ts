import { copyAndSay, readRowText } from "@/components/thread/row-text";
import { wholeOutput } from "@/components/thread/tools/whole-output";
import { api } from "@/lib/client/api";
import { formatRowKey } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";

/** Blocks of one record stand in neighbouring rows. */
const ROWS_AROUND = 40;

/**
 * The whole text in which a hit was found, as it is pasted elsewhere: a prompt, an answer’s Markdown, a command, all that a
 * call returned. `null` where the session no longer shows it. Throws `ApiError`.
 */
export async function readHitText({
  sessionId,
  agentId,
  recordId,
  block,
  field,
  snippet,
}: SearchHit): Promise<string | null> {
  if (field === "title") return snippet;
  const around = { agent: agentId, detail: "everything", around: recordId, count: ROWS_AROUND } as const;
  const { rows, at, from } = await api.rows(sessionId, around);
  const key = formatRowKey(recordId, block);
  const row =
    rows.find((one) => one.key === key || one.shows?.includes(key)) ??
    (at === null ? undefined : rows[at - from]);
  if (!row) return null;
  if (field === "output" && row.kind === "tool")
    return wholeOutput(sessionId, await api.call(sessionId, row.recordId, row.block));
  return readRowText(sessionId, row);
}

/** Copies the whole text in which a hit was found, and says so, or why not. */
export async function copyHit(hit: SearchHit): Promise<void> {
  await copyAndSay(readHitText(hit), "Copied");
}
