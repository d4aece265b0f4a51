import type { SessionTable } from "./session-table";

const NONE = -1;

/** Whether the log says how many lines a call changed: without a patch it only says in which file. */
export function hasLineCounts({ calls }: SessionTable, call: number): boolean {
  return calls.path.at(call) !== NONE && calls.target.at(call) === NONE;
}

/**
 * Orders calls by position: file, then line. Their numbers only give the order of reading, and several files may be
 * read in turn. A call without any block comes first.
 */
export function compareCalls(table: SessionTable, one: number, other: number): number {
  const [a, b] = [firstBlock(table, one), firstBlock(table, other)];
  return fileOf(table, a) - fileOf(table, b) || a - b;
}

function firstBlock({ calls }: SessionTable, call: number): number {
  if (call === NONE) return NONE;
  const [use, result] = [calls.use.at(call), calls.result.at(call)];
  if (use === NONE || result === NONE) return Math.max(use, result);
  return Math.min(use, result);
}

function fileOf({ records, blocks }: SessionTable, block: number): number {
  return block === NONE ? NONE : records.file.at(blocks.record.at(block));
}
