import { addTo } from "@/lib/format/lists";
import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { mergeParts, type SentPart } from "@/lib/log/request/assemble";
import { isAnswer } from "@/lib/log/request/walk-chain";
import { RecordKind } from "@/lib/log/table/kinds";
import { openConfined } from "@/lib/server/disk/confined-file";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { toolNamed } from "@/lib/tools/tools";
import { isRecordId } from "@/lib/wire/ids";
import type {
  ApiMessage,
  ContextShares,
  MessageNote,
  MessagesResponse,
} from "@/lib/wire/model-requests/messages";
import { canonicalHash } from "./canonical-hash";
import { measuredCharsAToken } from "./chars-a-token";
import { contextWindow, requestTokens } from "./context-window";
import { type FindEarlier, rebuildRequest, requestBefore } from "./rebuild-request";
import { type RecordedRequest, recordedRequest, requestRef } from "./recorded-request";

/** Finds the session of the same project whose files contain a request: forks refer to the original's. */
export type FindElsewhere = (requestId: string) => Promise<OpenSession | null>;

/** Look-ups of what is missing in a session's own files. */
export type OtherSessions = { findRequest: FindElsewhere; findEarlier: FindEarlier };

type Request = Pick<MessagesResponse, "source" | "verified" | "messages" | "system" | "tools"> & {
  recordIds: MessageNote["recordIds"][];
};

/**
 * The messages sent to the model: for a line of an answer the request that led to it, for any other record everything
 * up to and including it. `at` is a record id, a uuid or a tool-use id. Throws `record-not-found`.
 */
export async function sentMessages(
  session: OpenSession,
  at: string,
  others: OtherSessions,
): Promise<MessagesResponse> {
  const target = findTarget(session, at);
  const request = await requestAt(session, target, others);
  const before = await requestBefore(session, target, others.findEarlier);
  const previous = before && (await requestAt(before.session, before.record, others));
  const known = new Copies(previous?.messages.map(canonicalHash) ?? []);
  const hashes = request.messages.map(canonicalHash);
  const notes = request.messages.map(
    (message, index): MessageNote => ({
      recordIds: request.recordIds[index] ?? [],
      chars: textSize(message.content),
      isNew: !known.take(hashes[index] ?? ""),
    }),
  );
  const kept = new Copies(hashes);
  const gone = previous?.messages.filter((message) => !kept.take(canonicalHash(message))) ?? [];
  const { messages: logged } = session.table;
  const message = session.table.records.message.at(target);
  const { source, verified, messages, system, tools } = request;
  return {
    at: session.recordId(target),
    source,
    verified,
    messages,
    system,
    tools,
    model: message === -1 ? null : session.table.models.at(logged.model.at(message)),
    tokens: requestTokens(session.table, message),
    window: contextWindow(session.table, message),
    notes,
    shares: measureContext(request.messages, request.system, request.tools),
    charsAToken: measuredCharsAToken(session, message, messages, notes),
    dropped: previous && {
      messages: gone.length,
      chars: gone.reduce((sum, one) => sum + textSize(one.content), 0),
      compacted: compactedBetween(session, before?.session === session ? before.record : -1, target),
    },
  };
}

/** How often each message occurs in a request: people say “go on” more than once, and each is a message. */
class Copies {
  readonly #left = new Map<string, number>();

  constructor(hashes: readonly string[]) {
    for (const hash of hashes) this.#left.set(hash, (this.#left.get(hash) ?? 0) + 1);
  }

  /** Takes one of these away, false where none is left. */
  take(hash: string): boolean {
    const left = this.#left.get(hash) ?? 0;
    if (left > 0) this.#left.set(hash, left - 1);
    return left > 0;
  }
}

function findTarget(session: OpenSession, at: string): number {
  if (isRecordId(at)) return session.find(at);
  const { table } = session;
  const uuid = table.uuids.find(at);
  if (uuid !== -1) {
    for (let record = 0; record < table.records.size; record++)
      if (table.records.uuid.at(record) === uuid) return record;
  }
  const call = table.callOf(table.toolIds.find(at));
  const use = call === undefined ? -1 : table.calls.use.at(call);
  if (use !== -1) return table.blocks.record.at(use);
  throw new ViewerError("record-not-found", "This session has no record, uuid or tool call of that name", {
    hint: "Use a record id, a uuid or a tool-use id of this session.",
  });
}

async function requestAt(
  session: OpenSession,
  target: number,
  { findRequest, findEarlier }: OtherSessions,
): Promise<Request> {
  const logged = isAnswer(session.table, target) ? (await readRecords(session, [target], 512))(target) : null;
  const ref = requestRef(logged);
  if (ref !== null) {
    const own = await recordedRequest(session, ref);
    const other = own ? null : await findRequest(ref);
    const recorded = own ?? (other && (await recordedRequest(other, ref)));
    if (recorded) return fromLog(session, target, recorded, own !== null);
  }
  const merged = mergeParts(await rebuildRequest(session, target, findEarlier));
  return {
    source: "rebuilt",
    messages: merged.map(({ message }) => message),
    recordIds: merged.map(({ records }) => records.map((record) => session.recordId(record))),
  };
}

/** `isOwn`: the request is logged in this session's files, so its lines can be linked to. */
async function fromLog(
  session: OpenSession,
  target: number,
  { messages, system, tools, verified }: RecordedRequest,
  isOwn: boolean,
): Promise<Request> {
  const bare = messages.map(({ message }) => message as ApiMessage);
  const inThread = conversationRecords(await rebuildRequest(session, target), bare);
  return {
    source: "recorded",
    verified,
    messages: bare,
    system,
    tools,
    recordIds: messages.map(({ records }, index) => {
      const found = inThread[index] ?? [];
      const shown = found.length > 0 || !isOwn ? found : records;
      return shown.map((record) => session.recordId(record));
    }),
  };
}

/** Whether a compaction boundary was written between the previous answer and this record. */
function compactedBetween({ table: { records } }: OpenSession, before: number, target: number): boolean {
  for (let record = before + 1; record < target; record++) {
    if (
      records.kind.at(record) === RecordKind.compactBoundary &&
      records.file.at(record) === records.file.at(target)
    )
      return true;
  }
  return false;
}

/** Maximum depth to which sizes are added up. */
const MAX_DEPTH = 64;

/** UTF-16 units of all strings in a value; base64 data of images and documents counts as zero. */
function textSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + textSize(one, depth + 1), 0);
  const object = asObject(value) ?? {};
  const isMedia = object.type === "base64";
  let sum = 0;
  for (const key of Object.keys(object))
    if (!(isMedia && key === "data")) sum += textSize(object[key], depth + 1);
  return sum;
}

const MEMORY = /CLAUDE\.md|# claudeMd|memory file/i;

/** What a request consists of, by size. A result counts as a file if the call it answers read one. */
function measureContext(messages: readonly ApiMessage[], system: unknown, tools: unknown): ContextShares {
  const shares: ContextShares = {
    system: textSize(system),
    tools: textSize(tools),
    memory: 0,
    reminders: 0,
    files: 0,
    toolOutput: 0,
    conversation: 0,
  };
  const toolOf = new Map<string, string>();
  for (const { role, content } of messages) {
    for (const block of blocksOf(content)) {
      const size = textSize(block);
      if (block.type === "tool_use") toolOf.set(asString(block.id) ?? "", asString(block.name) ?? "");
      shares[shareOf(role, block, toolOf)] += size;
    }
  }
  return shares;
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asArray(content)
    .map(asObject)
    .filter((block) => block !== null);
}

function shareOf(
  role: ApiMessage["role"],
  block: JsonObject,
  toolOf: ReadonlyMap<string, string>,
): keyof ContextShares {
  if (block.type === "tool_result") {
    const tool = toolNamed(toolOf.get(asString(block.tool_use_id) ?? ""));
    return tool?.files === "reads" ? "files" : "toolOutput";
  }
  const text = asString(block.text) ?? "";
  const isReminder = role === "system" || text.startsWith("<system-reminder>");
  if (isReminder) return MEMORY.test(text) ? "memory" : "reminders";
  return "conversation";
}

/**
 * For each message of a recorded request the records of the conversation that contain it: a logged request is
 * a copy of them (2.1.330), and a reader wants the row. They are matched by the content of their blocks, in order, so
 * that a text sent twice leads to both of its records. Empty for messages that only the client's request log has.
 */
function conversationRecords(
  parts: readonly SentPart[],
  messages: readonly { role: string; content?: unknown }[],
): number[][] {
  const unused = new Map<string, number[]>();
  for (const { record, message } of parts) {
    if (record === -1) continue;
    for (const block of message.content) {
      const key = blockKey(message.role, block);
      addTo(unused, key, record);
    }
  }
  return messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
    const found = blocks.flatMap((block) => unused.get(blockKey(role, block))?.shift() ?? []);
    return [...new Set(found)];
  });
}

/** Identifies a block within its request: the id of a call or result, the text of a text block. */
function blockKey(role: string, block: unknown): string {
  const { type, id, tool_use_id, text, thinking } = asObject(block) ?? {};
  switch (type) {
    case "tool_use":
      return `call ${asString(id) ?? ""}`;
    case "tool_result":
      return `result ${asString(tool_use_id) ?? ""}`;
    case "text":
      return `${role} text ${asString(text)?.trim() ?? ""}`;
    case "thinking":
      return `thinking ${asString(thinking)?.trim() ?? ""}`;
    default:
      return `${role} ${canonicalHash(block)}`;
  }
}

const CHUNK_BYTES = 1 << 20;

/** True if a file's bytes contain this ASCII text. Reads up to the match; the file is never held in memory as a whole. */
export async function holdsText(root: string, path: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text, "latin1");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES + wanted.length);
  const handle = await openConfined(root, path);
  try {
    let kept = 0;
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, kept, CHUNK_BYTES, at);
      if (bytesRead === 0) return false;
      const filled = buffer.subarray(0, kept + bytesRead);
      if (filled.includes(wanted)) return true;
      at += bytesRead;
      // The text may cross the boundary of two chunks.
      kept = Math.min(wanted.length - 1, filled.length);
      filled.copyWithin(0, filled.length - kept);
    }
  } finally {
    await handle.close();
  }
}
