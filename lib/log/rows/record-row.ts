import type { SessionRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import type { BookkeepingRow, ContextRow, EventRow, UnknownRow, UnreadableRow } from "@/lib/wire/rows";
import { attachmentContext, attachmentEvent } from "./attachment-event";
import { blobRefs } from "./blob-refs";
import { contextLabel } from "./context-label";
import { cutText, firstWords } from "./cut-text";
import type { Event } from "./event";
import { metadataEvent } from "./metadata-event";
import { recordNote } from "./record-note";
import { rowBase } from "./row-base";
import { type RowContext, recordIdOf } from "./row-context";
import { shortJson } from "./short-json";
import { systemEvent } from "./system-event";
import { promptOf } from "./turn-row";
import { userEvent } from "./user-event";

const TEXT_LIMIT = 4_000;
const NOTE_LIMIT = 200;

/** A record that is a row of its own: everything but prompts, answers, calls and compactions. */
export function recordRow(
  context: RowContext,
  record: number,
  turn: number,
): EventRow | ContextRow | BookkeepingRow | UnknownRow | UnreadableRow {
  const { table, graph } = context;
  const base = rowBase(context, record, 0, turn);
  const logged = context.read(record);
  if (!logged || logged.kind === "unreadable") {
    const { length } = logged?.at ?? { length: table.records.get("length", record) };
    const place = {
      line: table.records.get("line", record),
      offset: table.records.get("offset", record),
      length,
    };
    return {
      ...base,
      kind: "unreadable",
      reason: logged?.reason ?? "The file can no longer be read",
      ...place,
      text: cutText("", 0),
    };
  }
  const kind = table.records.get("kind", record);
  const type = table.types.at(table.records.get("type", record)) ?? logged.type;
  if (kind === RecordKind.unknown) {
    return {
      ...base,
      kind: "unknown",
      type,
      text: cutText(shortJson(logged.json, TEXT_LIMIT * 2), TEXT_LIMIT),
    };
  }
  const event = eventOf(kind, logged);
  if (event) {
    const { event: name, level, label } = event;
    return { ...base, kind: "event", event: name, level, label, text: cutText(event.text, TEXT_LIMIT) };
  }
  const said = contextOf(kind, logged);
  if (said) {
    const label = graph.copies.has(record) ? "Written again by the client" : said.label;
    const blobs = blobRefs(logged, recordIdOf(context, record), null);
    return { ...base, kind: "context", label, text: cutText(said.text, TEXT_LIMIT), blobs };
  }
  return { ...base, kind: "bookkeeping", type, text: firstWords(recordNote(logged, NOTE_LIMIT), NOTE_LIMIT) };
}

function eventOf(kind: number, record: SessionRecord): Event | null {
  switch (record.kind) {
    case "user":
      return userEvent(kind, promptOf(record));
    case "system":
      return systemEvent(record.subtype, record.json);
    case "attachment":
      return attachmentEvent(record);
    case "metadata":
      return metadataEvent(record);
    default:
      return null;
  }
}

function contextOf(kind: number, record: SessionRecord): { label: string; text: string } | null {
  if (record.kind === "attachment") return attachmentContext(record, TEXT_LIMIT);
  if (record.kind !== "user") return null;
  const text = promptOf(record);
  return { label: kind === RecordKind.compactSummary ? "Summary" : contextLabel(text), text };
}
