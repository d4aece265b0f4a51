import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import { formatRowKey } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { agentReturnRow, notifiedReturnRow } from "./agent-return-row";
import { blockRow } from "./block-row";
import { calledAgentRecords } from "./called-agent";
import { summaryOf } from "./compaction-row";
import { RowKind, type RowList } from "./flatten";
import { runAt } from "./fold-runs";
import { forkAt, forkRow, promptsOfBranches } from "./fork-row";
import { recordRow } from "./record-row";
import { type RowContext, recordIdOf } from "./row-context";
import { recordsOfRun, runRow } from "./run-row";
import { resultRecord, taskRecords } from "./tool-row";
import { answerRecord, promptBefore, promptRecord, turnRow } from "./turn-row";

/** The records that must be read before row `index` of the list can be built. */
export function recordsOfRow(context: RowContext, list: RowList, index: number): number[] {
  const { table } = context;
  const of = at(list.of, index);
  const turn = at(list.turn, index);
  switch (at(list.kind, index)) {
    case RowKind.turn: {
      const needed = [promptRecord(context, of), promptBefore(context, turn)];
      return context.folds.has(turn) ? [...needed, answerRecord(context, turn)] : needed;
    }
    case RowKind.fork:
    case RowKind.endFork:
      return promptsOfBranches(context, forkAt(context, of, at(list.kind, index) === RowKind.endFork));
    case RowKind.run: {
      const run = runAt(list, index);
      return run ? recordsOfRun(context, run) : [];
    }
    default: {
      const record = table.blocks.record.at(of);
      const needed = [record];
      if (table.blocks.kind.at(of) === BlockKind.call)
        needed.push(
          resultRecord(context, table.blocks.call.at(of)),
          ...calledAgentRecords(context, table.blocks.call.at(of)),
          ...taskRecords(context, table.blocks.call.at(of)),
        );
      if (table.records.kind.at(record) === RecordKind.compactBoundary)
        needed.push(summaryOf(context, record));
      return needed;
    }
  }
}

/** Row `index` of the list, with its content. The records that `recordsOfRow` names must be readable. */
export function buildRow(context: RowContext, list: RowList, index: number): Row {
  const of = at(list.of, index);
  const turn = at(list.turn, index);
  switch (at(list.kind, index)) {
    case RowKind.turn:
      return turnRow(context, of, turn);
    case RowKind.fork:
    case RowKind.endFork:
      return forkRow(context, of, turn, at(list.kind, index) === RowKind.endFork);
    case RowKind.agentReturn: {
      const record = context.table.blocks.record.at(of);
      const isResult = context.table.blocks.kind.at(of) === BlockKind.result;
      const row = isResult ? agentReturnRow(context, of, turn) : notifiedReturnRow(context, record, turn);
      return row ?? recordRow(context, record, turn);
    }
    case RowKind.run: {
      const run = runAt(list, index);
      return run ? runRow(context, run, turn) : blockRow(context, of, turn);
    }
    default:
      return partOfRun(context, list, index, blockRow(context, of, turn));
  }
}

/** A row that an open run shows names it. */
function partOfRun({ table, logs }: RowContext, list: RowList, index: number, row: Row): Row {
  const run = runAt(list, index);
  if (!run) return row;
  const first = at(run.blocks, 0);
  const record = table.blocks.record.at(first);
  return { ...row, run: formatRowKey(recordIdOf({ table, logs }, record), table.blocks.index.at(first)) };
}
