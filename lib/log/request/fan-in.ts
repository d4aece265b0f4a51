import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { RequestIndex } from "./request-index";
import { isAnswer } from "./walk-chain";

const NONE = -1;

/**
 * Completes a chain with what a walk by parents leaves out: from 2.1.0 on the results of parallel
 * calls hang from their own calls, beside the chain. Where an answer first appears, all its lines
 * follow in file order, then the results of its calls in file order (the order of completion), one
 * for each call. A record is sent once, but for a caveat that several commands share (1.0.60).
 */
export function fanIn(table: SessionTable, index: RequestIndex, chain: readonly number[]): number[] {
  const { records } = table;
  const onChain = new Set(chain);
  const sent: number[] = [];
  const done = new Set<number>();
  const uuids = new Set<number>();
  const emit = (record: number) => {
    const uuid = records.get("uuid", record);
    if (done.has(record) || (uuid !== NONE && uuids.has(uuid))) return;
    done.add(record);
    if (uuid !== NONE) uuids.add(uuid);
    sent.push(record);
  };
  for (const record of chain) {
    if (done.has(record)) {
      if (records.get("flags", record) & Flag.caveat) sent.push(record);
      continue;
    }
    if (!isAnswer(table, record)) {
      emit(record);
      continue;
    }
    const file = records.get("file", record);
    const lines = index
      .linesOf(records.get("message", record))
      .filter((line) => records.get("file", line) === file || onChain.has(line));
    for (const line of lines) emit(line);
    for (const result of resultsOf(table, index, lines, file)) emit(result);
  }
  return sent;
}

function resultsOf(
  table: SessionTable,
  index: RequestIndex,
  lines: readonly number[],
  file: number,
): number[] {
  const found = new Set<number>();
  for (const line of lines) for (const call of index.callsOf(line)) found.add(firstResult(table, call, file));
  found.delete(NONE);
  return [...found].sort((a, b) => a - b);
}

/** The first line that answers a call, in this file if there is one. */
function firstResult({ calls, blocks, records }: SessionTable, call: number, file: number): number {
  let first = NONE;
  for (let block = calls.get("result", call); block !== NONE; block = blocks.get("next", block)) {
    const record = blocks.get("record", block);
    if (records.get("file", record) === file) return record;
    if (first === NONE) first = record;
  }
  return first;
}
