import type { RecordId } from "./ids";
import type { RequestTokens } from "./model-requests/messages";
import type { BlobRef, CutText } from "./rows";
import type { RequestUsage } from "./usage";

/** Where a record lies on disk. */
export type Place = { file: string; line: number; offset: number; length: number };

/** `…/records/{recordId}`: the whole record. `raw` is cut at 1 MiB; `?raw=1` streams the bytes as they are. */
export type RecordDetail = {
  recordId: RecordId;
  at: Place;
  type: string;
  uuid: string | null;
  parent: { uuid: string; recordId: RecordId | null } | null;
  children: RecordId[];
  version: string | null;
  atMs: number | null;
  /** `null` when the line is not valid JSON or is too deep or too long to show as a tree. */
  json: unknown;
  raw: CutText;
  blobs: BlobRef[];
  unreadable: string | null;
  context: RecordContext;
};

/** A hook that the client ran. `outcome` is `null` where the log only has that it ran. */
export type RecordHook = {
  name: string;
  outcome: "ok" | "failed" | "blocked" | "cancelled" | null;
  durationMs: number | null;
};

/** What the lines around a record say of it. */
export type RecordContext = {
  /** Of the message that the line is a part of. */
  model: string | null;
  /** Of the request that the message answers, as its client wrote them; `usage` has the same by how long they were cached. */
  tokens: RequestTokens | null;
  /** Of the request that the message answers; null where the log counts no tokens. */
  usage: RequestUsage | null;
  /** The line is a clone’s from which parts were left out: the usage is that of the original’s request. */
  isUsageExact: boolean;
  /** From the call that the line asks for or answers to its result. */
  durationMs: number | null;
  /** What became of that call's permission; `null` without a call or a result. */
  permission: "allowed" | "denied" | "interrupted" | null;
  /** The permission mode recorded with the prompt above. */
  mode: string | null;
  hooks: RecordHook[];
};

/** Lines of a recorded or computed patch. */
export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

/** `computed`: the log holds no patch, so it was made from the call's input and its line numbers are not known. */
export type FileDiff = {
  path: string;
  hunks: Hunk[];
  change: "created" | "updated" | "unchanged";
  computed: boolean;
  userModified: boolean;
  replaceAll: boolean;
  /** In how many places text was replaced, where all were and the file before is known. */
  places: number | null;
  added: number;
  removed: number;
};

/** `…/calls/{recordId}?block=n&original=12-40`: lines of the file before the call, as many as an answer holds. */
export type OriginalLines = { from: number; lines: string[] };

/** A block of a result, in the order the log has it. */
export type OutputBlock =
  | { kind: "text"; text: CutText }
  | { kind: "blob"; blob: BlobRef }
  | { kind: "other"; type: string; json: unknown };

/**
 * What the log says later of a command or agent that went on in the background: a call that asked for its output
 * or stopped it, or (`told`) the words of a notification.
 */
export type LaterOutput = { recordId: RecordId; block: number; told: string | null; atMs: number | null };

/** The longest string inside the `input` and `structured` of a call, in UTF-16 units. */
export const MAX_FIELD = 64 << 10;

/** Whether such a string is all of what the log has. One that was cut may lack a unit more, for its last character. */
export function isWholeField(text: string): boolean {
  return text.length < MAX_FIELD - 1;
}

/**
 * `…/calls/{recordId}?block=n`: what an opened tool row shows. Strings inside `input` and
 * `structured` longer than `MAX_FIELD` are cut; the whole is in the records.
 */
export type CallDetail = {
  recordId: RecordId;
  block: number;
  toolUseId: string | null;
  name: string;
  input: unknown;
  /** One for each result the log has: none, one or several. */
  results: {
    recordId: RecordId;
    isError: boolean;
    atMs: number | null;
    blocks: OutputBlock[];
    /** The client's own structured result (`toolUseResult`), by tool. */
    structured: unknown;
    /** What an MCP server sent as structured content (2.1.29 on), `null` without it. */
    content: unknown;
  }[];
  diffs: FileDiff[];
  /** Lines of the file before the call, where the client recorded it; a long one is read by ranges (`original=`). */
  originalLines: number | null;
  /** Of a call without a result: what it had written when the log last heard of it. */
  partial: CutText | null;
  cwd: string | null;
  /** Of a call that went on in the background, in order. */
  later: LaterOutput[];
};
