import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { canonicalHash, messageHash } from "./canonical-hash";
import { type DerivedMessage, deriveMessages } from "./derived-messages";
import { messageHashes, type RequestLog, readRequestLog } from "./request-log";

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

/** The request log of a session, read on first need and kept while the session is open. */
export function requestLog(session: OpenSession): Promise<RequestLog> {
  return keep(logs, session, readRequestLog);
}

/** The recorded request of this id, `null` if this session's files do not hold all of it. */
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
  for (const [place, hash] of hashes.entries()) {
    const record = blobs[place] ?? -1;
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
    system: shape?.system,
    tools: shape?.tools,
    params: request.params,
    verified: { matched, total },
  };
}

type Logged = ReturnType<Awaited<ReturnType<typeof readRecords>>>;

function blobMessage(
  record: Logged,
  place: number,
  hash: string,
): (DerivedMessage & { verified: boolean }) | null {
  const json = record && record.kind !== "unreadable" ? record.json : null;
  const message = asObject(json?.message);
  return message
    ? { message, records: [place], verified: messageHash(message, json?.output_config) === hash }
    : null;
}

function shapeOf(record: Logged): JsonObject | null {
  return record && record.kind !== "unreadable" ? asObject(record.json.shape) : null;
}

/** The id of the request that an answer's line names. */
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
