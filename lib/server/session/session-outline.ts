import { asNumber, asObject } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/cut-text";
import { RowKind, type RowList } from "@/lib/log/rows/flatten";
import { marksOf } from "@/lib/log/rows/marks";
import { type RowContext, timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import { at } from "@/lib/log/table/table";
import type { OutlineEntry, OutlineResponse } from "@/lib/wire/session";
import { chooseBranch } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { foldsOf, rowList } from "./row-list";
import type { OutlineQuery } from "./session-queries";
import { contextFor } from "./session-rows";

const OUTLINE_WORDS = 120;

/** One entry for each turn of a branch, with the row where it stands. */
export async function outlineOf(session: OpenSession, query: OutlineQuery): Promise<OutlineResponse> {
  const branch = chooseBranch(session, { ...query, agent: null }, null);
  if (!branch) return { revision: session.revision, total: 0, from: 0, turns: [] };
  const folds = foldsOf(query.fold, query.runs);
  const list = rowList(session, branch, query.detail, folds);
  const path = session.path(branch);
  const total = path.turns.length - 1;
  const numbers = Array.from(
    { length: Math.max(0, Math.min(total, query.from + query.count) - query.from) },
    (_, i) => query.from + i + 1,
  );
  const context = await contextFor(session, branch, folds, (unread) =>
    numbers.flatMap((number) => {
      const turn = path.turns[number];
      return turn ? [promptRecord(unread, turn.record), turn.compactedBefore] : [];
    }),
  );
  const rowOfTurn = turnRows(list);
  return {
    revision: session.revision,
    total,
    from: query.from,
    turns: numbers.map((number) => outlineEntry(context, session, number, rowOfTurn.get(number) ?? 0)),
  };
}

function outlineEntry(context: RowContext, session: OpenSession, number: number, row: number): OutlineEntry {
  const turn = context.path.turns[number] ?? context.path.turns[0];
  if (!turn) throw new Error(`Turn ${number} is not on this path`);
  const { toolCalls, errors, added, removed, agents, compactedBefore } = turn;
  const boundary = compactedBefore === -1 ? null : context.read(compactedBefore);
  const prompt = context.read(promptRecord(context, turn.record));
  const metadata = boundary?.kind === "system" ? asObject(boundary.json.compactMetadata) : null;
  return {
    turn: number,
    recordId: session.recordId(turn.record),
    row,
    prompt: firstWords(promptTitle(prompt), OUTLINE_WORDS),
    atMs: timeOf(session.table, turn.record),
    toolCalls,
    errors,
    added,
    removed,
    agents,
    ...marksOf(prompt),
    compactedBefore: boundary
      ? { preTokens: asNumber(metadata?.preTokens), postTokens: asNumber(metadata?.postTokens) }
      : null,
  };
}

function turnRows(list: RowList): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < list.count; row++)
    if (at(list.kind, row) === RowKind.turn) rows.set(at(list.turn, row), row);
  return rows;
}
