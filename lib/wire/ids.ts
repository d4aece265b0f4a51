declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Contains the main log's UUID; otherwise opaque. */
export type SessionId = Branded<"SessionId">;

/** The sessions of one working directory. Opaque. */
export type ProjectId = Branded<"ProjectId">;

/** One line of one log. Only this file knows how it is written. */
export type RecordId = Branded<"RecordId">;

/** The part of `agent-<id>.jsonl` behind the dash, or one made for a sidechain inside the main log. */
export type AgentId = Branded<"AgentId">;

/** A branch is named by the record of its leaf. */
export type BranchId = Branded<"BranchId">;

/** Where a record's line begins: its log by the session's key for it, and a byte offset. */
export type RecordPlace = { file: string; offset: number };

/** The key of a session's main log. */
export const MAIN_LOG_KEY = "m";

const SEPARATOR = "~";
const BASE = 36;

/**
 * What ids look like, as sources of regular expressions for whoever checks what came from outside. A record id is
 * `<file>~<byte offset in base 36>`; it holds neither `.` nor `:`, which permalinks use for the block and the
 * line (`m~1k9.2:L12-20`). The key of a row is its first record and its block: `m~1k9.2`.
 */
export const ID_PATTERN = "[A-Za-z0-9._~-]{1,200}";
export const RECORD_ID_PATTERN = "[a-z0-9]{1,32}~[0-9a-z]{1,16}";
export const ROW_KEY_PATTERN = `${RECORD_ID_PATTERN}\\.\\d{1,6}`;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The UUID in a session's id or its log's name, by which the client itself names it; `null` where there is none. */
export function uuidOfSession(id: string): string | null {
  return UUID.exec(id)?.[0] ?? null;
}

/** The id of the record that begins at a byte offset of a log. */
export function formatRecordId(file: string, offset: number): RecordId {
  return `${file}${SEPARATOR}${offset.toString(BASE)}` as RecordId;
}

/** Where a record's line begins, for order within a log. What is no record id has no file and the offset -1. */
export function parseRecordId(id: RecordId): RecordPlace {
  const cut = id.indexOf(SEPARATOR);
  const offset = cut === -1 ? Number.NaN : Number.parseInt(id.slice(cut + 1), BASE);
  return Number.isNaN(offset) ? { file: "", offset: -1 } : { file: id.slice(0, cut), offset };
}

/** Tells a record id from other names of a record, such as its uuid or a tool-use id. */
export function isRecordId(text: string): text is RecordId {
  return text.includes(SEPARATOR);
}

/** The branch that ends with this record. */
export function branchIdOf(leaf: RecordId): BranchId {
  return leaf as string as BranchId;
}

/** The id of an agent whose lines stand in the main log from this offset on (1.0.128). */
export function sidechainAgentId(offset: number): AgentId {
  return `side${offset.toString(BASE)}` as AgentId;
}

/** The key of the row that a block of a record begins. */
export function formatRowKey(recordId: RecordId, block: number): string {
  return `${recordId}.${block}`;
}

/** The inverse of `formatRowKey`. A key without a block has the block `NaN`. */
export function parseRowKey(key: string): { recordId: RecordId; block: number } {
  const [recordId = "", block] = key.split(".");
  return { recordId: recordId as RecordId, block: Number(block) };
}
