import { asArray, asNumber, asObject, asString, type JsonObject, writable } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { sentBy } from "@/lib/log/request/sent-message";
import { RecordKind } from "@/lib/log/table/kinds";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { canonicalHash, messageHash } from "./canonical-hash";
import { requestIndex } from "./rebuild-request";

/** A request as the client logged it. `matched` of `total` hashes (messages and shape) were recomputed and agree. */
export type RecordedRequest = {
  messages: { message: JsonObject; records: number[] }[];
  system: unknown;
  tools: unknown;
  params: JsonObject | null;
  verified: { matched: number; total: number };
};

const logs = new WeakMap<OpenSession, Promise<RequestLog>>();
const derived = new WeakMap<OpenSession, Promise<Map<string, DerivedMessage>>>();

/** The request log of a session, read on first use and kept while the session is open. */
export function requestLog(session: OpenSession): Promise<RequestLog> {
  return keep(logs, session, readRequestLog);
}

/** The recorded request with this id, `null` if this session's files do not contain all of it. */
export async function recordedRequest(session: OpenSession, id: string): Promise<RecordedRequest | null> {
  const log = await requestLog(session);
  const hashes = messageHashes(log, id);
  const request = log.requests.get(id);
  if (!hashes || !request) return null;
  const shapeRecord = request.shapeHash === null ? -1 : (log.shapes.get(request.shapeHash) ?? -1);
  const blobs = hashes.map((hash) => log.blobs.get(hash) ?? -1);
  const read = await readRecords(session, [...blobs, shapeRecord]);
  const fromRecords = blobs.includes(-1)
    ? await keep(derived, session, deriveMessages)
    : new Map<string, DerivedMessage>();
  let matched = 0;
  const messages: RecordedRequest["messages"] = [];
  for (const [index, hash] of hashes.entries()) {
    const record = blobs[index] ?? -1;
    const found = record === -1 ? fromRecords.get(hash) : blobMessage(read(record), record, hash);
    if (!found) return null;
    if (!("verified" in found) || found.verified) matched += 1;
    messages.push({ message: found.message, records: found.records });
  }
  const shape = shapeOf(read(shapeRecord));
  if (shape && canonicalHash(shape) === request.shapeHash) matched += 1;
  const total = hashes.length + (request.shapeHash === null ? 0 : 1);
  return {
    messages,
    system: writable(shape?.system),
    tools: writable(shape?.tools),
    params: request.params,
    verified: { matched, total },
  };
}

type Logged = ReturnType<Awaited<ReturnType<typeof readRecords>>>;

function blobMessage(
  logged: Logged,
  record: number,
  hash: string,
): (DerivedMessage & { verified: boolean }) | null {
  const json = logged && logged.kind !== "unreadable" ? logged.json : null;
  const message = asObject(json?.message);
  return message
    ? {
        message: writable(message),
        records: [record],
        verified: messageHash(message, json?.output_config) === hash,
      }
    : null;
}

function shapeOf(record: Logged): JsonObject | null {
  return record && record.kind !== "unreadable" ? asObject(record.json.shape) : null;
}

/** The id of the request that an answer's line refers to. */
export function requestRef(record: Logged): string | null {
  return record?.kind === "assistant" ? asString(record.json.requestRef) : null;
}

function keep<T>(
  cache: WeakMap<OpenSession, Promise<T>>,
  session: OpenSession,
  make: (session: OpenSession) => Promise<T>,
): Promise<T> {
  const known = cache.get(session);
  if (known) return known;
  const made = make(session);
  cache.set(session, made);
  made.catch(() => cache.delete(session));
  return made;
}

/** A request as logged: the first `keep` messages of request `base`, then one for each hash of `tail`. */
export type LoggedRequest = {
  id: string;
  base: string | null;
  keep: number;
  tail: string[];
  shapeHash: string | null;
  params: JsonObject | null;
};

/** The requests in a session's files (2.1.330), by id, and the records of the texts they refer to by hash. */
export type RequestLog = {
  requests: Map<string, LoggedRequest>;
  /** Hash → record of the message or shape. */
  blobs: Map<string, number>;
  shapes: Map<string, number>;
};

/** Hashes and ids are short; the messages and tool definitions beside them are read when needed. */
const KEEP_BYTES = 256;

const TYPES: ReadonlySet<string> = new Set(["api-request", "api-request-blob", "api-request-shape"]);

/** Indexes the client's own request log in all lines of the session. Empty before 2.1.330. */
async function readRequestLog(session: OpenSession): Promise<RequestLog> {
  const { records, types } = session.table;
  const wanted: number[] = [];
  for (let record = 0; record < records.size; record++) {
    if (TYPES.has(types.at(records.type.at(record)) ?? "")) wanted.push(record);
  }
  const read = await readRecords(session, wanted, KEEP_BYTES);
  const log: RequestLog = { requests: new Map(), blobs: new Map(), shapes: new Map() };
  for (const record of wanted) note(log, record, read(record));
  return log;
}

function note(log: RequestLog, record: number, logged: SessionRecord | null): void {
  if (!logged || logged.kind === "unreadable") return;
  const { json, type } = logged;
  const hash = asString(json.hash);
  const shapeHash = asString(json.shapeHash);
  const id = asString(json.id);
  if (type === "api-request-blob" && hash) log.blobs.set(hash, record);
  if (type === "api-request-shape" && shapeHash) log.shapes.set(shapeHash, record);
  if (type !== "api-request" || !id) return;
  const tail = asArray(json.tail).filter((one) => typeof one === "string");
  log.requests.set(id, {
    id,
    base: asString(json.base),
    keep: asNumber(json.keep) ?? 0,
    tail,
    shapeHash,
    params: writable(asObject(json.params)),
  });
}

/** The hashes of a request's messages in order; `null` where a request it builds on is not in the log. */
function messageHashes(log: RequestLog, id: string): string[] | null {
  const chain: LoggedRequest[] = [];
  const seen = new Set<string>();
  for (let next: string | null = id; next !== null; ) {
    const request = log.requests.get(next);
    if (!request || seen.has(next)) return null;
    seen.add(next);
    chain.push(request);
    next = request.keep > 0 ? request.base : null;
  }
  let hashes: string[] = [];
  for (const request of chain.reverse()) hashes = [...hashes.slice(0, request.keep), ...request.tail];
  return hashes;
}

/** A message that the client did not log a second time: its hash identifies the records that contain it. */
export type DerivedMessage = { message: JsonObject; records: number[] };

/** Maximum number of results merged into one message. */
const MAX_MERGED = 12;
const BATCH = 400;

/**
 * The messages that can be made from a session's records, by hash: every answer from its lines,
 * every user line, and runs of results that were sent as one message.
 */
export async function deriveMessages(session: OpenSession): Promise<Map<string, DerivedMessage>> {
  const { table } = session;
  const found = new Map<string, DerivedMessage>();
  const index = requestIndex(session);
  for (let message = 0; message < table.messages.size; message += BATCH) {
    const messages = Array.from(
      { length: Math.min(BATCH, table.messages.size - message) },
      (_, i) => message + i,
    );
    const read = await readRecords(
      session,
      messages.flatMap((one) => index.linesOf(one)),
    );
    for (const one of messages) {
      const lines = dedupe(session, index.linesOf(one));
      const plain = lines.flatMap((line) => contentOf(read(line)));
      const sent = lines.flatMap((line) => sentContent(read(line)));
      for (const content of [plain, sent]) {
        const derived = { role: "assistant", content };
        found.set(messageHash(derived), { message: derived, records: lines });
      }
    }
  }
  await deriveUsers(session, found);
  return found;
}

function dedupe({ table }: OpenSession, lines: readonly number[]): number[] {
  const seen = new Set<number>();
  return lines.filter((line) => {
    const uuid = table.records.uuid.at(line);
    if (seen.has(uuid)) return false;
    seen.add(uuid);
    return true;
  });
}

type Reader = Awaited<ReturnType<typeof readRecords>>;
type LoggedAnswer = ReturnType<Reader>;

function contentOf(record: LoggedAnswer): JsonObject[] {
  return record?.kind === "assistant" || record?.kind === "user"
    ? record.blocks.map((block) => block.json)
    : [];
}

function sentContent(record: LoggedAnswer): JsonObject[] {
  return record ? (sentBy(record, "")?.content ?? []) : [];
}

/** Runs of user lines between two answers: results that were sent together, and what a skill or command added to them. */
async function deriveUsers(session: OpenSession, found: Map<string, DerivedMessage>): Promise<void> {
  const { records } = session.table;
  const runs: number[][] = [[]];
  // Sorted by file: those of a running session may have been read in turns.
  const inOrder = Array.from({ length: records.size }, (_, record) => record);
  inOrder.sort((a, b) => records.file.at(a) - records.file.at(b) || a - b);
  for (const record of inOrder) {
    const run = runs.at(-1) as number[];
    if (isUserLine(session, record)) {
      if (run.length < MAX_MERGED) run.push(record);
      else runs.push([record]);
    }
    // Lines of one answer and results of its calls are interleaved (2.1.330): only a new answer ends a run.
    else if (
      run.length > 0 &&
      records.kind.at(record) === RecordKind.assistant &&
      startsAnswer(session, record)
    )
      runs.push([]);
  }
  for (let from = 0; from < runs.length; from += BATCH) {
    const batch = runs.slice(from, from + BATCH);
    const read = await readRecords(session, batch.flat());
    for (const lines of batch) addRuns(found, lines, read);
  }
}

function isUserLine({ table: { records, types } }: OpenSession, record: number): boolean {
  return types.at(records.type.at(record)) === "user";
}

function startsAnswer(session: OpenSession, record: number): boolean {
  const { table } = session;
  return requestIndex(session).linesOf(table.records.message.at(record))[0] === record;
}

/** Adds all runs of consecutive lines, including single lines. */
function addRuns(found: Map<string, DerivedMessage>, lines: readonly number[], read: Reader): void {
  for (let from = 0; from < lines.length; from++) {
    for (let to = from + 1; to <= lines.length; to++) {
      const part = lines.slice(from, to);
      for (const take of [contentOf, sentContent]) {
        const message = { role: "user", content: part.flatMap((line) => take(read(line))) };
        const hash = messageHash(message);
        if (!found.has(hash)) found.set(hash, { message, records: part });
      }
    }
  }
}
