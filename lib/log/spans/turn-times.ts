import { isSpacer, type Path } from "@/lib/log/graph/session-graph";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { rareValue } from "@/lib/log/table/rare-values";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { LogOf } from "./log-span";

const NONE = -1;

/**
 * When a turn began, epoch milliseconds: with its prompt, or, if that was typed while something was running, when that
 * had ended. NaN where nothing tells.
 * @param beforeMs when the work before it had ended
 */
export function startOf(table: SessionTable, path: Path, turn: number, beforeMs: number): number {
  const { record = NONE, from = 0, startMs = Number.NaN } = path.turns[turn] ?? {};
  const own = record === NONE ? Number.NaN : table.records.atMs.at(record);
  const cameMs = turn === 0 || Number.isNaN(own) ? startMs : own;
  if (!(beforeMs > cameMs)) return Number.isNaN(cameMs) ? beforeMs : cameMs;
  // Work that ends after the turn's own answer was not waited for: either a clock was wrong, or a fork begins with a
  // line of its own, which is newer than the lines that it copied.
  for (let i = from; i < path.records.length; i++) {
    const one = at(path.records, i);
    if (table.records.kind.at(one) !== RecordKind.assistant) continue;
    return table.records.atMs.at(one) >= beforeMs ? beforeMs : cameMs;
  }
  return cameMs;
}

/**
 * When the last work of a turn had ended: an answer, the result of one of its calls, wherever that is, a compaction, a
 * hook, a command. NaN for a turn without any.
 */
export function workEnd({ table, graph }: LogOf, path: Path, turn: number): number {
  const { records, blocks, calls } = table;
  let endMs = Number.NaN;
  const addEnd = (ms: number) => {
    if (!(ms <= endMs) && !Number.isNaN(ms)) endMs = ms;
  };
  const to = path.turns[turn + 1]?.from ?? path.records.length;
  for (let i = path.turns[turn]?.from ?? 0; i < to; i++) {
    const record = at(path.records, i);
    const kind = records.kind.at(record);
    if (graph.duplicates.has(record) || isSpacer(table, record)) continue;
    if (WORK.has(kind) || (kind === RecordKind.attachment && rareValue(table.tookMs, record) > 0))
      addEnd(records.atMs.at(record));
    if (kind !== RecordKind.assistant) continue;
    for (const block of blocksOf(table, record)) {
      const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
      const result = call === NONE ? NONE : calls.result.at(call);
      if (result !== NONE) addEnd(records.atMs.at(blocks.record.at(result)));
    }
  }
  return endMs;
}

/** When the last work before a turn had ended; NaN without any. */
export function workEndBefore(log: LogOf, path: Path, turn: number): number {
  let endMs = Number.NaN;
  for (let earlier = turn - 1; earlier >= 0 && Number.isNaN(endMs); earlier--)
    endMs = workEnd(log, path, earlier);
  return endMs;
}

const WORK: ReadonlySet<number> = new Set([
  RecordKind.assistant,
  RecordKind.synthetic,
  RecordKind.results,
  RecordKind.commandOutput,
  RecordKind.compactBoundary,
]);
