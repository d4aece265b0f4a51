import { Flag, Level, RecordKind } from "./kinds";
import type { SessionTable } from "./session-table";

const NONE = -1;
/** Book-keeping lines between a compaction and the prompt that goes on. */
const LOOK_BACK = 16;

/**
 * The compaction that a prompt without a parent goes on from, -1 if none stands right before it. The
 * clients that wrote summaries as `summary` lines start anew behind a boundary; those recorded since
 * 1.0.128 write a user line with the summary first (`e2e/fixtures/older/projects`).
 */
export function compactionBefore({ records }: SessionTable, prompt: number): number {
  const file = records.get("file", prompt);
  for (let record = prompt - 1; record >= Math.max(0, prompt - LOOK_BACK); record--) {
    if (records.get("file", record) !== file) return NONE;
    const kind = records.get("kind", record);
    if (kind === RecordKind.compactBoundary) return record;
    if (kind !== RecordKind.metadata) return NONE;
  }
  return NONE;
}

/**
 * Makes a boundary of a `summary` line that is all there is of a compaction: it names the last message
 * before it as its leaf, and the prompt behind it has no parent. Called as that prompt is added.
 */
export function noteStandingSummary(table: SessionTable, prompt: number): void {
  const { records, blocks } = table;
  const summary = prompt - 1;
  const file = records.get("file", prompt);
  if (records.get("parent", prompt) !== NONE || summary < 0) return;
  if (records.get("file", summary) !== file || table.types.at(records.get("type", summary)) !== "summary")
    return;
  const leaf = records.get("link", summary);
  let before = summary - 1;
  while (before >= 0 && records.get("file", before) === file && !(records.get("flags", before) & Flag.node))
    before -= 1;
  if (leaf === NONE || before < 0 || records.get("uuid", before) !== leaf) return;
  records.set("kind", summary, RecordKind.compactBoundary);
  blocks.set("level", records.get("firstBlock", summary), Level.prompts);
}
