import { firstWords, textStart } from "@/lib/format/text";
import { CONTINUED_IN } from "@/lib/log/adding/levels";
import { isNotification } from "@/lib/log/adding/notification";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { MetadataRecord, SessionRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import type { AgentId } from "@/lib/wire/ids";
import type {
  BookkeepingRow,
  ContextRow,
  CutText,
  EventRow,
  UnknownRow,
  UnreadableRow,
} from "@/lib/wire/rows";
import { blobRefs } from "./blob-refs";
import { attachmentContext, attachmentEvent, notificationEvent, systemEvent, userEvent } from "./events";
import {
  contextLabel,
  cutText,
  type Event,
  longestOf,
  type RowContext,
  recordIdOf,
  rowBase,
  shortJson,
} from "./row-context";
import { promptOf } from "./turn-row";

const MAX_TEXT = 4_000;
const MAX_NOTE = 200;

/** The row of a record that is shown as a whole: everything except prompts, answers, calls and compactions. */
export function recordRow(
  context: RowContext,
  record: number,
  turn: number,
): EventRow | ContextRow | BookkeepingRow | UnknownRow | UnreadableRow {
  const { table, graph } = context;
  const base = rowBase(context, record, 0, turn);
  const logged = context.read(record);
  if (!logged || logged.kind === "unreadable") {
    const { length } = logged?.at ?? { length: table.records.length.at(record) };
    const ids = {
      line: table.records.line.at(record),
      offset: table.records.offset.at(record),
      length,
    };
    return {
      kind: "unreadable",
      ...base,
      reason: logged?.reason ?? "The file can no longer be read",
      ...ids,
      text: unreadableText(logged?.text ?? "", length),
    };
  }
  const kind = table.records.kind.at(record);
  const type = table.types.at(table.records.type.at(record)) ?? logged.type;
  if (kind === RecordKind.unknown) {
    return {
      kind: "unknown",
      ...base,
      type,
      text: cutText(shortJson(logged.json, MAX_TEXT * 2), MAX_TEXT),
    };
  }
  const event = eventOf(kind, logged);
  const blobs = blobRefs(logged, recordIdOf(context, record), null);
  if (event && blobs.length === 0) {
    const agentId = startedAgent(context, logged);
    return {
      kind: "event",
      ...base,
      ...event,
      ...(agentId !== null && { agentId }),
      text: cutText(event.text, MAX_TEXT, longestOf(logged)),
    };
  }
  // A picture that was read into a prompt is shown below what is said of it.
  const injected = event ?? contextOf(kind, logged);
  if (injected) {
    const label = graph.duplicates.has(record) ? "Written again by the client" : injected.label;
    return {
      kind: "context",
      ...base,
      label,
      text: cutText(injected.text, MAX_TEXT, longestOf(logged)),
      blobs,
    };
  }
  return { kind: "bookkeeping", ...base, type, text: firstWords(recordNote(logged), MAX_NOTE) };
}

/** The agent that a line says was started by a command: no call did (`/subtask`, 2.1.332). */
function startedAgent({ graph }: RowContext, record: SessionRecord): AgentId | null {
  const named = record.kind === "system" ? asString(record.json.launchedAgentId) : null;
  return named === null ? null : (graph.threads.find(({ agentId }) => agentId === named)?.agentId ?? null);
}

/** A cut text gives its length in bytes: its number of characters is not known. */
function unreadableText(text: string, bytes: number): CutText {
  const cut = cutText(text, MAX_TEXT);
  return cut.cut ? { ...cut, length: bytes } : cut;
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
  if (record.kind === "attachment") return attachmentContext(record, MAX_TEXT);
  if (record.kind !== "user") return null;
  const text = promptOf(record);
  // The client's note of `/compact` (2.1.250, 2.1.300).
  if (kind === RecordKind.metadata) return { label: "Typed", text };
  return { label: kind === RecordKind.compactSummary ? "Summary" : contextLabel(text), text };
}

/** Fields that every record has; all other fields of a bookkeeping record make up its note. */
const COMMON: ReadonlySet<string> = new Set([
  "type",
  "uuid",
  "parentUuid",
  "sessionId",
  "timestamp",
  "version",
  "cwd",
  "gitBranch",
  "userType",
  "isSidechain",
  "entrypoint",
  "isMeta",
  "slug",
  "agentId",
]);

/** The content of a bookkeeping record on one line. Long values are cut. */
function recordNote(record: SessionRecord): string {
  if (record.kind === "unreadable") return "";
  if (record.kind === "system") {
    const ms = asNumber(record.json.durationMs);
    if (ms !== null) return `${ms} ms`;
  }
  if (record.kind === "progress") {
    const { data } = record;
    if (record.dataType === "search_results_received")
      return `${asNumber(data.resultCount) ?? "?"} results for “${asString(data.query) ?? ""}”`;
    const values = [data.output, data.query, data.hookName, data.taskDescription, data.prompt];
    return values.map(asString).find((text) => text !== null) ?? "";
  }
  if (record.type === "file-history-snapshot") return snapshotNote(record.json);
  const rest = Object.entries(record.json).filter(([key]) => !COMMON.has(key));
  return rest
    .map(
      ([key, value]) =>
        `${key}: ${typeof value === "string" ? textStart(value, MAX_NOTE) : shortJson(value, MAX_NOTE)}`,
    )
    .join(", ");
}

const MAX_FILES = 20;

/**
 * What a snapshot contains, and the line it was taken for. An update keeps that line's id in
 * `snapshot.messageId` and has a `messageId` of its own (2.0.42 and later), so the former ties them together.
 */
function snapshotNote(json: JsonObject): string {
  const snapshot = asObject(json.snapshot);
  const files = Object.keys(asObject(snapshot?.trackedFileBackups) ?? {});
  const line = asString(snapshot?.messageId) ?? asString(json.messageId) ?? "no line";
  const shown =
    files.slice(0, MAX_FILES).join(", ") +
    (files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "");
  return `${json.isSnapshotUpdate === true ? "update of the snapshot for" : "for"} ${line}: ${shown || "no files yet"}`;
}

/**
 * Bookkeeping that a reader wants to see where it happened: a pull request that the session made, where it goes on, and a
 * notification, of which a line of the queue may be the only trace (2.0.76, 2.1.29).
 */
function metadataEvent(record: MetadataRecord): Event | null {
  const { type, json } = record;
  if (type === "queue-operation" && json.operation === "enqueue") {
    const text = promptOf(record);
    return isNotification(text) ? notificationEvent(text) : null;
  }
  if (type === CONTINUED_IN)
    return { event: type, level: "info", label: "Goes on in another session", text: "" };
  if (type !== "pr-link") return null;
  const number = asNumber(json.prNumber);
  const label = number === null ? "Pull request" : `Pull request #${number}`;
  return {
    event: "pr-link",
    level: "info",
    label,
    text: asString(json.prUrl) ?? asString(json.prRepository) ?? "",
  };
}
