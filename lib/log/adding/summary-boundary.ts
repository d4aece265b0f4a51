import { Flag, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;
/** Maximum number of bookkeeping lines between a compaction and the prompt that continues. */
const LOOK_BACK = 16;

/**
 * The compaction that a prompt without a parent continues from, -1 if none directly precedes it. Clients that
 * wrote summaries as `summary` lines start a new root after a boundary; those recorded since
 * 1.0.128 write a user line with the summary first (`lib/testing/fixtures/older/projects`).
 */
export function compactionBefore(table: SessionTable, prompt: number): number {
  const { records } = table;
  let record = prompt;
  for (let looked = 0; looked < LOOK_BACK; looked++) {
    record = recordBefore(table, record);
    if (record === NONE) return NONE;
    const kind = records.kind.at(record);
    if (kind === RecordKind.compactBoundary) return record;
    if (kind !== RecordKind.metadata) return NONE;
  }
  return NONE;
}

/**
 * Makes a boundary of a `summary` line that is the only trace of a compaction: it names the last message
 * before it as its leaf, and the next prompt has no parent. Called when that prompt is added.
 */
export function noteSummaryBoundary(table: SessionTable, prompt: number): void {
  const { records, blocks } = table;
  if (records.parent.at(prompt) !== NONE) return;
  const summary = recordBefore(table, prompt);
  if (summary === NONE || table.types.at(records.type.at(summary)) !== "summary") return;
  const leaf = records.link.at(summary);
  const before = nodeBefore(table, summary);
  if (leaf === NONE || before === NONE || records.uuid.at(before) !== leaf) return;
  records.kind.put(summary, RecordKind.compactBoundary);
  blocks.level.put(records.firstBlock.at(summary), Level.prompts);
}

/**
 * Puts the note ahead of a `/compact` below the summary that stands right before it. Where a session is resumed for the
 * command, the note may name the last line that was summed up as its parent, and the client goes on from the summary all
 * the same (2.1.170).
 */
export function joinSummary(table: SessionTable, caveat: number): void {
  const { records } = table;
  const summary = recordBefore(table, caveat);
  if (summary === NONE || records.kind.at(summary) !== RecordKind.compactSummary) return;
  const boundary = recordBefore(table, summary);
  if (boundary === NONE || records.kind.at(boundary) !== RecordKind.compactBoundary) return;
  const parent = records.parent.at(caveat);
  if (parent !== NONE && parent === records.link.at(boundary))
    records.parent.put(caveat, records.uuid.at(summary));
}

/** The node that precedes a record in its file, -1 for none. */
export function nodeBefore(table: SessionTable, record: number): number {
  let before = recordBefore(table, record);
  while (before !== NONE && !(table.records.flags.at(before) & Flag.node))
    before = recordBefore(table, before);
  return before;
}

/** The record of the preceding line of its file, -1 for the first. Records of other files may be read in between. */
export function recordBefore({ records }: SessionTable, record: number): number {
  const file = records.file.at(record);
  let before = record - 1;
  while (before >= 0 && records.file.at(before) !== file) before -= 1;
  return before;
}
