import { storedBlobs } from "@/lib/log/adding/push-record";
import { asString, nestsDeeper } from "@/lib/log/records/json";
import { blobRefs } from "@/lib/log/rows/blob-refs";
import { timeOf } from "@/lib/log/rows/row-context";
import { at } from "@/lib/log/table/table";
import { openConfined } from "@/lib/server/disk/confined-file";
import { readRange } from "@/lib/server/disk/read-range";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { RecordId } from "@/lib/wire/ids";
import type { RecordDetail } from "@/lib/wire/record";
import { checkClosedLogAsRead, LogRewritten } from "../logs-read";
import type { OpenSession } from "../open-session";
import { readRecords, redactedLine, wholeCharacters } from "../read-records";
import { recordContext } from "./record-context";
import { persistedOutputs, readPersisted, readResultDocument } from "./tool-result-file";

const NONE = -1;
const MAX_RAW_BYTES = 1 << 20;
const MAX_CHILDREN = 200;
/** A larger record is shown as text only: a tree of it would freeze the page. */
const MAX_TREE_BYTES = 1 << 20;
/** A record that nests deeper cannot be sent as JSON either. */
const MAX_TREE_LEVELS = 256;

/** A whole record: its JSON, its text, its position and its neighbours in the graph. */
export async function recordDetail(session: OpenSession, recordId: RecordId): Promise<RecordDetail> {
  const record = session.find(recordId);
  const { table, graph } = session;
  const logged = (await readRecords(session, [record]))(record);
  const raw = await readLine(session, record, MAX_RAW_BYTES);
  const text = new TextDecoder().decode(raw.bytes);
  const readable = logged && logged.kind !== "unreadable" ? logged : null;
  const parent = at(graph.parents, record);
  const length = table.records.length.at(record);
  return {
    recordId,
    at: {
      file: nameOf(session, record),
      line: table.records.line.at(record),
      offset: table.records.offset.at(record),
      length,
    },
    type: asString(readable?.logged.type) ?? readable?.type ?? "unreadable",
    uuid: readable?.uuid ?? null,
    parent: readable?.parentUuid
      ? { uuid: readable.parentUuid, recordId: parent === NONE ? null : session.recordId(parent) }
      : null,
    children: childrenOf(session, record).map((child) => session.recordId(child)),
    version: asString(readable?.json.version),
    atMs: timeOf(table, record),
    json:
      readable && length <= MAX_TREE_BYTES && !nestsDeeper(readable.logged, MAX_TREE_LEVELS)
        ? readable.logged
        : null,
    raw: { text, cut: raw.isCut, length },
    blobs: [...blobRefs(logged, recordId, null), ...persistedOutputs(session, logged, recordId)],
    unreadable: logged?.kind === "unreadable" ? logged.reason : null,
    context: await recordContext(session, record, logged),
  };
}

/** The first children of a record, in the order of the logs. */
function childrenOf(session: OpenSession, record: number): number[] {
  const { parents } = session.graph;
  const children: number[] = [];
  for (let other = 0; other < parents.length; other++) if (parents[other] === record) children.push(other);
  return children.sort((a, b) => session.compareRecords(a, b)).slice(0, MAX_CHILDREN);
}

function nameOf({ files, table }: OpenSession, record: number): string {
  const file = table.records.file.at(record);
  return file === 0 ? files.main.name : (files.agents[file - 1]?.name ?? "");
}

/** The bytes of a record's line up to a limit, without a character that this would cut. */
async function readLine(
  session: OpenSession,
  record: number,
  limit: number,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const { files, table } = session;
  const file = table.records.file.at(record);
  const log = (file === 0 ? files.main : files.agents[file - 1]) ?? files.main;
  const length = table.records.length.at(record);
  // Secrets are replaced before anything is cut.
  const wanted = session.redaction ? length : Math.min(limit, length);
  const offset = table.records.offset.at(record);
  const handle = await openConfined(files.root, log.path);
  let bytes: Uint8Array;
  try {
    bytes = await readRange(handle, offset, offset + wanted);
  } finally {
    await handle.close();
  }
  if (bytes.length < wanted) throw new LogRewritten(files.id, log.path);
  checkClosedLogAsRead(files.id, files.root, session.read, log);
  const line = redactedLine(session, bytes);
  // A placeholder may be shorter than its secret.
  const isCut = (session.redaction ? line.length : length) > limit;
  return { bytes: isCut ? wholeCharacters(line.subarray(0, limit)) : line, isCut };
}

/** The bytes of a record's line as they are on disk. Rejects with `record-not-found`. */
export async function rawRecord(
  session: OpenSession,
  recordId: RecordId,
): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }> {
  const record = session.find(recordId);
  const { bytes } = await readLine(session, record, Number.MAX_SAFE_INTEGER);
  return { stream: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), bytes: bytes.length };
}

/**
 * The bytes of a record's `n`th image, document or saved output, with the media type that an image's bytes show. Rejects
 * with `record-not-found`, and `blob-not-found` where the record has no such thing.
 */
export async function blobOf(
  session: OpenSession,
  recordId: RecordId,
  n: number,
): Promise<{ bytes: Uint8Array; mediaType: string | null }> {
  const record = session.find(recordId);
  const logged = (await readRecords(session, [record]))(record);
  const kept = logged ? await readPersisted(session, logged, n) : null;
  if (kept) return { bytes: kept, mediaType: null };
  const document = logged && readResultDocument(logged, n);
  if (document) return { bytes: document, mediaType: null };
  const blob = logged && logged.kind !== "unreadable" ? storedBlobs(logged)[n] : undefined;
  if (!blob?.data)
    throw new ViewerError("blob-not-found", "There is no image or document at this place of the record", {
      hint: "Open the record itself.",
    });
  const [ref] = blobRefs(logged, recordId, null).slice(n, n + 1);
  return { bytes: Buffer.from(blob.data, "base64"), mediaType: ref?.mediaType ?? null };
}
