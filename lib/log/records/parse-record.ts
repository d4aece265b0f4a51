import { parseContent } from "./content-block";
import { type CutSize, type ElideOptions, elideLine } from "./elide";
import { asObject, asString, type JsonObject } from "./json";
import type { RawLine } from "./line-splitter";
import { salvage } from "./salvage";
import type { ReadableRecord, RecordAt, SessionRecord, UnreadableRecord } from "./session-record";
import { upgrade } from "./upgrade";

const decoder = new TextDecoder();

/** Lines shorter than this are parsed whole: walking their quotes costs more than it saves. */
const ELIDE_LINES_OVER = 2048;

type ParseOptions = ElideOptions & {
  /** Strings longer than this many bytes are cut to a prefix. Without it every line is parsed whole. */
  keepBytes?: number | undefined;
};

/**
 * Parses a line into records: usually one, or several parts of a damaged line. Never throws: what is not a
 * JSON object becomes `unreadable` with a reason, an unknown type becomes `unknown`; both keep their position.
 * Parts of a damaged line have byte ranges of their own and share its line number.
 */
export function parseLine(line: RawLine, options: ParseOptions = {}): SessionRecord[] {
  const whole = parseRecord(line, options);
  if (whole.kind !== "unreadable") return [whole];
  const parts = salvage(line.bytes);
  if (parts.length === 0) return [whole];
  return parts.map(({ from, to, json, reason }) => {
    const at = { offset: line.offset + from, length: to - from, line: line.line };
    return json ? toRecord(json, at) : unreadable(line.bytes.subarray(from, to), at, reason);
  });
}

/** Parses the bytes of one record, as delimited by `parseLine`. */
export function parseRecord(line: RawLine, { keepBytes, ...options }: ParseOptions = {}): SessionRecord {
  const at = { offset: line.offset, length: line.length, line: line.line };
  const elide = keepBytes !== undefined && line.length > Math.max(ELIDE_LINES_OVER, keepBytes);
  let json: unknown;
  let cut = false;
  let longest: CutSize | null = null;
  try {
    const elided = elide ? elideLine(line.bytes, keepBytes, options) : null;
    json = JSON.parse(elided?.text ?? decoder.decode(line.bytes));
    cut = elided?.cut ?? false;
    longest = elided?.longest ?? null;
  } catch (cause) {
    return unreadable(line.bytes, at, whyUnreadable(line.bytes, cause));
  }
  const object = asObject(json);
  return object
    ? toRecord(object, at, cut, longest)
    : unreadable(line.bytes, at, "The line is JSON, but not an object");
}

/** This much is kept of a line that is no record; in UTF-8 that is at least a third as many characters. */
const MAX_UNREADABLE_BYTES = 16 << 10;

function unreadable(bytes: Uint8Array, at: RecordAt, reason: string): UnreadableRecord {
  // A character that the limit would cut is left out: the decoder waits for the rest of it, as it would in a stream.
  const stream = bytes.length > MAX_UNREADABLE_BYTES;
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_UNREADABLE_BYTES), { stream });
  return { kind: "unreadable", at, reason, text };
}

/** A parsed line as a record, with the shapes of older clients upgraded. `elided`: some of its strings were cut. */
export function toRecord(
  logged: JsonObject,
  at: RecordAt,
  elided = false,
  longest: CutSize | null = null,
): ReadableRecord {
  const json = upgrade(logged);
  const type = asString(json.type) ?? "";
  const base = {
    at,
    type,
    uuid: asString(json.uuid),
    parentUuid: asString(json.parentUuid),
    logicalParentUuid: asString(json.logicalParentUuid),
    sessionId: asString(json.sessionId),
    agentId: asString(json.agentId),
    atMs: parseTime(json.timestamp),
    isSidechain: json.isSidechain === true,
    isMeta: json.isMeta === true,
    elided,
    longest,
    json,
    logged,
  };
  const make = MAKERS.get(type);
  if (make) return make(base, json);
  return Object.assign(base, {
    kind: METADATA_TYPES.has(type) ? ("metadata" as const) : ("unknown" as const),
  });
}

type Base = Omit<Extract<ReadableRecord, { kind: "unknown" }>, "kind">;

/**
 * A Map, because types come from files: `constructor` is a type like any other. The base is completed
 * in place: copying it is half the cost of a short line.
 */
const MAKERS = new Map<string, (base: Base, json: JsonObject) => ReadableRecord>([
  [
    "user",
    (base, json) =>
      Object.assign(base, {
        kind: "user" as const,
        blocks: parseContent(asObject(json.message)?.content),
        isCompactSummary: json.isCompactSummary === true,
        toolUseResult: json.toolUseResult,
      }),
  ],
  [
    "assistant",
    (base, json) => {
      const message = asObject(json.message);
      return Object.assign(base, {
        kind: "assistant" as const,
        messageId: asString(message?.id),
        model: asString(message?.model),
        blocks: parseContent(message?.content),
        usage: asObject(message?.usage),
        stopReason: asString(message?.stop_reason),
        isApiError: json.isApiErrorMessage === true,
      });
    },
  ],
  [
    "system",
    (base, json) => Object.assign(base, { kind: "system" as const, subtype: asString(json.subtype) ?? "" }),
  ],
  [
    "progress",
    (base, json) => {
      const data = asObject(json.data) ?? {};
      const parentToolUseId = asString(json.parentToolUseID) ?? asString(json.toolUseID);
      return Object.assign(base, {
        kind: "progress" as const,
        dataType: asString(data.type) ?? "",
        data,
        parentToolUseId,
      });
    },
  ],
  [
    "attachment",
    (base, json) => {
      const attachment = asObject(json.attachment) ?? {};
      return Object.assign(base, {
        kind: "attachment" as const,
        attachmentType: asString(attachment.type) ?? "",
        attachment,
      });
    },
  ],
]);

function whyUnreadable(bytes: Uint8Array, cause: unknown): string {
  if (bytes.length === 0) return "The line is empty";
  if (bytes.every((byte) => byte === 0)) return `The line is ${bytes.length} NUL bytes`;
  return cause instanceof Error ? `Not JSON: ${cause.message.slice(0, 160)}` : "Not JSON";
}

/**
 * Types that are not part of the conversation, by the first version they were recorded in. 2.1.330 writes
 * many of them repeatedly in mid-file: the last one counts.
 */
const METADATA_TYPES: ReadonlySet<string> = new Set([
  "summary", // 1.0.128
  "file-history-snapshot", // 2.0.42
  "queue-operation", // 2.0.42
  "custom-title", // 2.0.76
  // 2.1.110
  "last-prompt",
  "permission-mode",
  "worktree-state",
  "agent-name",
  // 2.1.220
  "mode",
  "ai-title",
  "relocated",
  "file-history-delta",
  // 2.1.330
  "agent-color",
  "cost-state",
  "tools-used",
  "atis-latch",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  // Known to the client of 2.1.330 by name, never recorded.
  "agent-setting",
  "api-request-resumed",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
  "attribution-snapshot",
  "bridge-session",
  "content-replacement",
  "continued-in",
  "data-flow-incomplete",
  "data-flow-records",
  "derived-from",
  "dev-mods",
  "ended-by-model",
  "fork-context-ref",
  "frame-link",
  "history-suppression",
  "isolation-latch",
  "marble-origami-commit",
  "marble-origami-reset",
  "marble-origami-snapshot",
  "memory-mode",
  "observer-ref",
  "pr-link",
  "resume-head-vouch",
  "session-link",
  "session-owner",
  "tag",
  "task-summary",
  "turn_end",
]);

// Numbers below this are seconds: as milliseconds they would lie before 1973.
const SECONDS_BELOW = 1e11;
/** The last moment that a date can hold: nanoseconds, as other programs write them, are beyond it. */
const MAX_MS = 8.64e15;

/** Epoch milliseconds of an ISO string, or of a number in seconds or milliseconds; `null` for anything else. */
export function parseTime(value: unknown): number | null {
  if (typeof value === "number") {
    if (!(value > 0 && value <= MAX_MS)) return null;
    return value < SECONDS_BELOW ? value * 1000 : value;
  }
  if (typeof value !== "string") return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
