import type { PriceTable } from "@/lib/cost/price-table";
import { textStart } from "@/lib/format/text";
import type { Branch } from "@/lib/log/graph/branches";
import type { Path, SessionGraph, Turn } from "@/lib/log/graph/session-graph";
import type { CutSize } from "@/lib/log/records/elide";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { formatRecordId, formatRowKey, MAIN_LOG_KEY, type RecordId } from "@/lib/wire/ids";
import type { CutText, EventRow, Row, RowBase } from "@/lib/wire/rows";

/** Everything that a row is built from. `read` gives a record that `recordsOfRow` named; its long strings may be cut. */
export type RowContext = {
  table: SessionTable;
  graph: SessionGraph;
  logs: readonly SessionLog[];
  branch: Branch;
  path: Path;
  folds: { has(turn: number): boolean };
  prices: PriceTable;
  read(record: number): SessionRecord | null;
};

/** The id of a record on the wire: its file's key and its byte offset in base 36. */
export function recordIdOf({ table, logs }: Pick<RowContext, "table" | "logs">, record: number): RecordId {
  const key = logs[table.records.file.at(record)]?.key ?? MAIN_LOG_KEY;
  return formatRecordId(key, table.records.offset.at(record));
}

/** Epoch milliseconds of a record, `null` where its line has no time. */
export function timeOf(table: SessionTable, record: number): number | null {
  const ms = table.records.atMs.at(record);
  return Number.isNaN(ms) ? null : ms;
}

/** The turn with this number; a path has at least turn 0. */
export function turnAt(path: Path, turn: number): Turn {
  return (path.turns[turn] ?? path.turns[0]) as Turn;
}

/**
 * The fields common to all rows, as far as they follow from the record: lanes and neighbours in other sessions are
 * added for a window as a whole. `endRecord` is where the row ends (a call's result): the time between the two is
 * the duration, its position in the turn the span.
 *
 * A row is written `{ kind, ...base, … }`: behind a spread that comes first each further field costs Node 20 almost a
 * microsecond, behind a field next to nothing.
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
    key: formatRowKey(recordId, Math.max(0, block)),
    recordId,
    block: Math.max(0, block),
    turn,
    atMs,
    span,
    durationMs,
    ...marksOf(context.read(record)),
  };
}

/**
 * Flags of a whole line that a reader must know about, where a client before 1.0 wrote any; otherwise an empty object.
 */
export function marksOf(record: SessionRecord | null): Pick<Row, "marks"> {
  if (!record || record.kind === "unreadable") return {};
  const { isDeleted, isAborted } = record.json;
  if (isDeleted !== true && isAborted !== true) return {};
  return {
    marks: [
      ...(isDeleted === true ? ["deleted" as const] : []),
      ...(isAborted === true ? ["aborted" as const] : []),
    ],
  };
}

/** The content of an event row. `event` is its kind, in the client's term where it has one. */
export type Event = Pick<EventRow, "event" | "level" | "label" | "status"> & { text: string };

/**
 * The text cut to `limit` UTF-16 units, never inside a surrogate pair. `length` is that of the whole text.
 * @param longest of the line that the text is of, where that may have been cut when it was read
 */
export function cutText(text: string, limit: number, longest: CutSize | null = null): CutText {
  if (text.length <= limit) return { text, cut: false, length: text.length };
  return {
    text: textStart(text, limit),
    cut: true,
    length: isKeptOf(longest, text) ? longest.units : text.length,
  };
}

function isKeptOf(longest: CutSize | null, text: string): longest is CutSize {
  return longest !== null && text.length <= longest.kept.length && JSON.parse(`"${longest.kept}"`) === text;
}

/** The size of the longest string of a line that was cut when it was read; `null` where none was. */
export function longestOf(record: SessionRecord | null): CutSize | null {
  return record && record.kind !== "unreadable" ? record.longest : null;
}

const MAX_LEVELS = 32;

/**
 * A value as JSON, ended after about `limit` characters and with `…` for anything nested deeper than 32
 * levels: logs can nest 100,000 deep, where `JSON.stringify` overflows the stack.
 */
export function shortJson(value: unknown, limit: number): string {
  const parts: string[] = [];
  let left = limit;
  write(value, 0);
  return parts.join("");

  function put(text: string): void {
    parts.push(text);
    left -= text.length;
  }

  function write(inner: unknown, depth: number): void {
    if (typeof inner === "string") put(JSON.stringify(textStart(inner, Math.max(0, left))));
    else if (typeof inner !== "object" || inner === null) put(String(inner));
    else if (depth >= MAX_LEVELS) put("…");
    else if (Array.isArray(inner)) writeAll(inner.values(), "[", "]", (one) => write(one, depth + 1));
    else
      writeAll(Object.entries(inner).values(), "{", "}", ([key, one]) => {
        put(`${JSON.stringify(key)}:`);
        write(one, depth + 1);
      });
  }

  function writeAll<T>(items: Iterable<T>, open: string, close: string, writeOne: (item: T) => void): void {
    put(open);
    let first = true;
    for (const item of items) {
      if (left <= 0) {
        put("…");
        break;
      }
      if (!first) put(",");
      first = false;
      writeOne(item);
    }
    put(close);
  }
}

const LABELS: readonly [start: RegExp, label: string][] = [
  [/^<system-reminder>/, "Reminder"],
  [/^<ide_opened_file>/, "Open in the editor"],
  [/^<ide_selection>/, "Selected in the editor"],
  [/^<(?:ide_|new-)diagnostics>/, "Diagnostics of the editor"],
  [/^<local-command-caveat>/, "Note on what follows"],
  [/^<[a-z-]+-hook>/, "Said by a hook"],
  [/^(?:Stop hook|\S+ operation) feedback:/, "Said by a hook"],
  [/^<tool_use_error>/, "Error of a tool"],
];

/** A label for a text that no person wrote, by its beginning. */
export function contextLabel(text: string): string {
  const start = text.trimStart();
  return LABELS.find(([pattern]) => pattern.test(start))?.[1] ?? "Sent with the conversation";
}
