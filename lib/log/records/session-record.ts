import type { ContentBlock } from "./content-block";
import type { CutSize } from "./elide";
import type { JsonObject } from "./json";

/** Where a record is in its file: byte offset and length of its line without the newline, and line number from 1. */
export type RecordAt = { offset: number; length: number; line: number };

type RecordBase = {
  at: RecordAt;
  /** The `type` field as logged. */
  type: string;
  /** Null where the line has none: metadata and snapshot lines never do. Not unique: forks copy it. */
  uuid: string | null;
  parentUuid: string | null;
  /** On a compaction boundary: the last message before it. */
  logicalParentUuid: string | null;
  sessionId: string | null;
  agentId: string | null;
  atMs: number | null;
  isSidechain: boolean;
  isMeta: boolean;
  /** Long strings of `json` are cut to a prefix: their lengths and lines are not those of the log. */
  elided: boolean;
  /** The size of the longest string that was cut, where that was asked for. */
  longest: CutSize | null;
  /** The line brought to the current shape (`upgrade`). */
  json: JsonObject;
  /** The line as its client wrote it; the same object as `json` where nothing was upgraded. */
  logged: JsonObject;
};

/** A line in the role of the user: a prompt, results of tools, or what the client says in that role. `toolUseResult`: a result as the tool gave it, in a shape of its own. */
export type UserRecord = RecordBase & {
  kind: "user";
  blocks: ContentBlock[];
  isCompactSummary: boolean;
  toolUseResult: unknown;
};

/** One content chunk of an API message; several lines share `messageId`. */
export type AssistantRecord = RecordBase & {
  kind: "assistant";
  messageId: string | null;
  model: string | null;
  blocks: ContentBlock[];
  usage: JsonObject | null;
  stopReason: string | null;
  isApiError: boolean;
};

/** A line of the client’s own, such as a boundary of a compaction: `subtype` says which. */
export type SystemRecord = RecordBase & { kind: "system"; subtype: string };

/**
 * A line with which a call or an agent reports while it runs. `parentToolUseId`: the call, where the line names it.
 */
export type ProgressRecord = RecordBase & {
  kind: "progress";
  dataType: string;
  data: JsonObject;
  parentToolUseId: string | null;
};

/** What the client added to a prompt: a file, a reminder, a hook’s output. `attachmentType` says which. */
export type AttachmentRecord = RecordBase & {
  kind: "attachment";
  attachmentType: string;
  attachment: JsonObject;
};

/** A type that carries facts about the session and is not part of the conversation: titles, modes, snapshots, the queue, request logs. */
export type MetadataRecord = RecordBase & { kind: "metadata" };

/** A type that we do not know. With a `uuid` it is still a node of the graph. */
export type UnknownRecord = RecordBase & { kind: "unknown" };

/** A line that is not a JSON object. `text`: the beginning of its bytes, as far as they spell characters. */
export type UnreadableRecord = { kind: "unreadable"; at: RecordAt; reason: string; text: string };

type GraphRecord = UserRecord | AssistantRecord | SystemRecord | ProgressRecord | AttachmentRecord;
export type ReadableRecord = GraphRecord | MetadataRecord | UnknownRecord;
export type SessionRecord = ReadableRecord | UnreadableRecord;
