import type { RowBase } from "@/lib/wire/row-base";
import { marksOf } from "./marks";
import { type RowContext, recordIdOf, timeOf, turnAt } from "./row-context";

/**
 * What every row has, as far as its record tells it: lanes and neighbours in other sessions come to the window as a
 * whole. `endRecord` is where it ends (a call's result); its time after the row's own
 * is the duration, its place in the turn the span.
 */
export function rowBase(
  context: RowContext,
  record: number,
  block: number,
  turn: number,
  endRecord = record,
): RowBase {
  const recordId = recordIdOf(context, record);
  const atMs = timeOf(context.table, record);
  const endMs = timeOf(context.table, endRecord);
  const { startMs } = turnAt(context.path, turn);
  const durationMs =
    endRecord !== record && atMs !== null && endMs !== null ? Math.max(0, endMs - atMs) : null;
  const span =
    atMs === null || Number.isNaN(startMs)
      ? null
      : { fromMs: Math.max(0, atMs - startMs), toMs: Math.max(0, (endMs ?? atMs) - startMs, atMs - startMs) };
  return {
    key: `${recordId}.${Math.max(0, block)}`,
    recordId,
    block: Math.max(0, block),
    turn,
    atMs,
    span,
    durationMs,
    ...marksOf(context.read(record)),
  };
}
