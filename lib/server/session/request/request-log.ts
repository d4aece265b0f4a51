import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";

/** A request as logged: the first `keep` messages of request `base`, then one for each hash of `tail`. */
export type LoggedRequest = {
  id: string;
  base: string | null;
  keep: number;
  tail: string[];
  shapeHash: string | null;
  params: JsonObject | null;
};

/** The requests that a session's files hold (2.1.330), by id, and where the texts they name by hash are. */
export type RequestLog = {
  requests: Map<string, LoggedRequest>;
  /** Hash → record of the message or shape. */
  blobs: Map<string, number>;
  shapes: Map<string, number>;
};

/** Hashes and ids are short; the messages and tool definitions beside them are read when they are asked for. */
const KEEP_BYTES = 256;

const TYPES: ReadonlySet<string> = new Set(["api-request", "api-request-blob", "api-request-shape"]);

/** Reads where the client's own request log has what, in every line of the session. Empty before 2.1.330. */
export async function readRequestLog(session: OpenSession): Promise<RequestLog> {
  const { records, types } = session.table;
  const wanted: number[] = [];
  for (let record = 0; record < records.size; record++) {
    if (TYPES.has(types.at(records.get("type", record)) ?? "")) wanted.push(record);
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
    params: asObject(json.params),
  });
}

/** The hashes of a request's messages in order; `null` where a request it builds on is not in the log. */
export function messageHashes(log: RequestLog, id: string): string[] | null {
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
