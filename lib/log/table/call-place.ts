import type { SessionTable } from "./session-table";

const NONE = -1;

/**
 * Orders calls by where they stand: file, then line. Their numbers say when they were read, and files may be
 * read by turns. A call of which nothing is there comes first.
 */
export function compareCalls(table: SessionTable, one: number, other: number): number {
  const [a, b] = [firstBlock(table, one), firstBlock(table, other)];
  return fileOf(table, a) - fileOf(table, b) || a - b;
}

function firstBlock({ calls }: SessionTable, call: number): number {
  if (call === NONE) return NONE;
  const [use, result] = [calls.get("use", call), calls.get("result", call)];
  if (use === NONE || result === NONE) return Math.max(use, result);
  return Math.min(use, result);
}

function fileOf({ records, blocks }: SessionTable, block: number): number {
  return block === NONE ? NONE : records.get("file", blocks.get("record", block));
}
