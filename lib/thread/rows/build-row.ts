import type { ContextRow, Row } from "@/lib/wire/rows";
import { cutText } from "../cut-text";
import { RowKind, type RowList } from "../flatten";
import { runAt } from "../fold-runs";
import { BlockKind, RecordKind } from "../kinds";
import { messageTokens } from "../path";
import { shortJson } from "../short-json";
import { at } from "../table";
import { injectedText } from "../typed-text";
import { agentReturnRow, notifiedReturnRow } from "./agent-return-row";
import { blobRefs } from "./blob-refs";
import { calledAgentRecords } from "./called-agent";
import { citationsOf } from "./citations";
import { compactionRow, summaryOf } from "./compaction-row";
import { contextLabel } from "./context-label";
import { forkAt, forkRow, promptsOfWays } from "./fork-row";
import { taskRecords } from "./named-task";
import { recordRow } from "./record-row";
import { type RowBase, rowBase } from "./row-base";
import { type RowContext, recordIdOf } from "./row-context";
import { recordsOfRun, runRow } from "./run-row";
import { resultRecord, resultText, toolRow } from "./tool-row";
import { answerRecord, promptBefore, promptRecord, turnRow } from "./turn-row";

const TEXT_LIMIT = 8_000;
const THINKING_LIMIT = 2_000;

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
      return promptsOfWays(context, forkAt(context, of, at(list.kind, index) === RowKind.endFork));
    case RowKind.run: {
      const run = runAt(list, index);
      return run ? recordsOfRun(context, run) : [];
    }
    default: {
      const record = table.blocks.get("record", of);
      const needed = [record];
      if (table.blocks.get("kind", of) === BlockKind.call)
        needed.push(
          resultRecord(context, table.blocks.get("call", of)),
          ...calledAgentRecords(context, table.blocks.get("call", of)),
          ...taskRecords(context, table.blocks.get("call", of)),
        );
      if (table.records.get("kind", record) === RecordKind.compactBoundary)
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
      const record = context.table.blocks.get("record", of);
      const isResult = context.table.blocks.get("kind", of) === BlockKind.result;
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
  const record = table.blocks.get("record", first);
  return { ...row, run: `${recordIdOf({ table, logs }, record)}.${table.blocks.get("index", first)}` };
}

function blockRow(context: RowContext, block: number, turn: number): Row {
  const { table } = context;
  const record = table.blocks.get("record", block);
  const place = table.blocks.get("index", block);
  if (table.records.get("kind", record) === RecordKind.compactBoundary)
    return compactionRow(context, record, turn);
  if (table.blocks.get("kind", block) === BlockKind.call) return toolRow(context, block, turn);
  const logged = context.read(record);
  const content = logged?.kind === "assistant" || logged?.kind === "user" ? logged.blocks[place] : undefined;
  if (!content) return recordRow(context, record, turn);
  const base = rowBase(context, record, place, turn);
  switch (content.kind) {
    case "text": {
      if (logged?.kind === "assistant" && table.records.get("kind", record) === RecordKind.synthetic) {
        const event = logged.isApiError ? "api-error" : "synthetic";
        const label = logged.isApiError ? "API error" : "Said by the client";
        return {
          ...base,
          kind: "event",
          event,
          level: logged.isApiError ? "error" : "info",
          label,
          text: cutText(content.text, TEXT_LIMIT),
        };
      }
      if (logged?.kind === "user") return besideRow(context, record, base, content.text);
      const message = table.records.get("message", record);
      if (context.graph.brokenAttempts.has(message)) {
        const label = "Cut off, and said again below";
        return {
          ...base,
          kind: "event",
          event: "broken-attempt",
          level: "warning",
          label,
          text: cutText(content.text, TEXT_LIMIT),
        };
      }
      const id = logged?.kind === "assistant" ? logged.messageId : null;
      const model = table.models.at(message === -1 ? -1 : table.messages.get("model", message));
      return {
        ...base,
        kind: "text",
        text: cutText(content.text, TEXT_LIMIT),
        citations: citationsOf(content.json),
        model,
        messageId: id,
        tokens: message === -1 ? null : messageTokens(table, message),
      };
    }
    case "thinking":
      return {
        ...base,
        durationMs: thoughtMs(context, record),
        kind: "thinking",
        text: cutText(content.text, THINKING_LIMIT),
        redacted: content.redacted,
      };
    case "media": {
      const [blob] = blobRefs(logged ?? null, recordIdOf(context, record), place);
      return blob ? { ...base, kind: "blob", blob } : recordRow(context, record, turn);
    }
    case "tool-result":
      return {
        ...base,
        kind: "context",
        label: "A result whose call is not in the log",
        text: cutText(resultText(content), TEXT_LIMIT),
        blobs: [],
      };
    default:
      // A prompt has a row of its own, which stands at the first block's place.
      return {
        ...base,
        key: logged?.kind === "user" ? `${base.key}.block` : base.key,
        kind: "unknown",
        type: content.type || "no type",
        text: cutText(shortJson(content.json, TEXT_LIMIT * 2), TEXT_LIMIT),
      };
  }
}

/** Words on a user line that are neither its prompt nor its results. */
function besideRow(context: RowContext, record: number, base: RowBase, text: string): ContextRow {
  if (context.table.records.get("kind", record) !== RecordKind.prompt)
    return {
      ...base,
      kind: "context",
      label: "Beside the result",
      text: cutText(text, TEXT_LIMIT),
      blobs: [],
    };
  const injected = injectedText(text) || text;
  // The prompt's own row stands at the first block's place.
  const key = `${base.key}.block`;
  return {
    ...base,
    key,
    kind: "context",
    label: contextLabel(injected),
    text: cutText(injected, TEXT_LIMIT),
    blobs: [],
  };
}

/** How long a thought took, where the client says so (2.1.330). */
function thoughtMs(context: RowContext, record: number): number | null {
  const logged = context.read(record);
  const ms = logged && logged.kind !== "unreadable" ? logged.json.thinkingDurationMs : null;
  return typeof ms === "number" ? ms : null;
}
