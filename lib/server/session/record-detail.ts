import type { ContentBlock } from "@/lib/records/content-block";
import { asArray, asObject, asString } from "@/lib/records/json";
import { cutText } from "@/lib/thread/cut-text";
import { blobRefs } from "@/lib/thread/rows/blob-refs";
import { timeOf } from "@/lib/thread/rows/row-context";
import { firstBlobOf, storedBlobs } from "@/lib/thread/stored-blobs";
import { at } from "@/lib/thread/table";
import type { RecordId } from "@/lib/wire/ids";
import type { CallDetail, OutputBlock, RecordDetail } from "@/lib/wire/record";
import { openConfined } from "../catalog/confined-file";
import { ViewerError } from "../viewer-error";
import { fileDiffs } from "./file-diffs";
import type { OpenSession } from "./open-session";
import { partialOutput } from "./partial-output";
import { persistedOutputs, readPersisted } from "./persisted-output";
import { readRecords } from "./read-records";

const NONE = -1;
const RAW_LIMIT = 1 << 20;
const FIELD_LIMIT = 64 << 10;
const OUTPUT_LIMIT = 512 << 10;
const MOST_CHILDREN = 200;
/** A record larger than this is shown as text only: a tree of it would freeze the page. */
const TREE_LIMIT = 1 << 20;

/** A record whole: its JSON, its text, its place and its neighbours in the graph. */
export async function recordDetail(session: OpenSession, recordId: RecordId): Promise<RecordDetail> {
  const record = session.find(recordId);
  const { table, graph } = session;
  const logged = (await readRecords(session, [record]))(record);
  const raw = await readLine(session, record, RAW_LIMIT);
  const text = new TextDecoder().decode(raw);
  const readable = logged && logged.kind !== "unreadable" ? logged : null;
  const parent = at(graph.parents, record);
  const children: RecordId[] = [];
  for (let other = 0; other < graph.parents.length && children.length < MOST_CHILDREN; other++) {
    if (graph.parents[other] === record) children.push(session.recordId(other));
  }
  const length = table.records.get("length", record);
  return {
    recordId,
    at: {
      file: nameOf(session, record),
      line: table.records.get("line", record),
      offset: table.records.get("offset", record),
      length,
    },
    type: readable?.type ?? "unreadable",
    uuid: readable?.uuid ?? null,
    parent: readable?.parentUuid
      ? { uuid: readable.parentUuid, recordId: parent === NONE ? null : session.recordId(parent) }
      : null,
    children,
    version: asString(readable?.json.version),
    atMs: timeOf(table, record),
    json: length <= TREE_LIMIT ? (readable?.json ?? null) : null,
    raw: { text, cut: length > raw.length, length },
    blobs: [...blobRefs(logged, recordId, null), ...(await persistedOutputs(session, logged, recordId))],
    unreadable: logged?.kind === "unreadable" ? logged.reason : null,
  };
}

function nameOf({ files, table }: OpenSession, record: number): string {
  const file = table.records.get("file", record);
  return file === 0 ? files.main.name : (files.agents[file - 1]?.name ?? "");
}

async function readLine(session: OpenSession, record: number, limit: number): Promise<Uint8Array> {
  const { files, table } = session;
  const file = table.records.get("file", record);
  const path = file === 0 ? files.main.path : (files.agents[file - 1]?.path ?? "");
  const bytes = new Uint8Array(Math.min(limit, table.records.get("length", record)));
  const handle = await openConfined(files.root, path);
  try {
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, table.records.get("offset", record));
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The bytes of a record's line as they are on disk. */
export async function rawRecord(
  session: OpenSession,
  recordId: RecordId,
): Promise<{ stream: ReadableStream<Uint8Array>; bytes: number }> {
  const record = session.find(recordId);
  const bytes = await readLine(session, record, Number.MAX_SAFE_INTEGER);
  return { stream: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), bytes: bytes.length };
}

/** What an opened call shows: its input, every result the log has for it, and what it changed. */
export async function callDetail(
  session: OpenSession,
  recordId: RecordId,
  place: number,
): Promise<CallDetail> {
  const { table } = session;
  const record = session.find(recordId);
  const block = callBlock(session, record, place);
  const call = table.blocks.get("call", block);
  const results: { record: number; place: number }[] = [];
  for (
    let result = table.calls.get("result", call);
    result !== NONE;
    result = table.blocks.get("next", result)
  ) {
    results.push({ record: table.blocks.get("record", result), place: table.blocks.get("index", result) });
  }
  const read = await readRecords(session, [record, ...results.map((one) => one.record)]);
  const logged = read(record);
  const use = logged?.kind === "assistant" ? logged.blocks[table.blocks.get("index", block)] : undefined;
  if (use?.kind !== "tool-use") throw notACall();
  const answered = results.map(({ record: result, place: at }) => {
    const line = read(result);
    const found = line?.kind === "user" || line?.kind === "assistant" ? line.blocks[at] : undefined;
    const id = session.recordId(result);
    return {
      line,
      wire: {
        recordId: id,
        isError: found?.kind === "tool-result" && found.isError,
        atMs: timeOf(table, result),
        blocks: found?.kind === "tool-result" && line ? outputBlocks(found, id, firstBlobOf(line, at)) : [],
        structured: limited(line?.kind === "user" ? line.toolUseResult : null),
      },
    };
  });
  for (const { line, wire } of answered) {
    const kept = await persistedOutputs(session, line, wire.recordId);
    wire.blocks.push(...kept.map((blob): OutputBlock => ({ kind: "blob", blob })));
  }
  const [first] = answered;
  const partial = first ? null : await partialOutput(session, record, use.id);
  const structured = first?.line?.kind === "user" ? asObject(first.line.toolUseResult) : null;
  return {
    recordId,
    block: place,
    toolUseId: use.id,
    name: use.name,
    input: limited(use.input),
    results: answered.map((one) => one.wire),
    diffs: fileDiffs(use.name, use.input, structured, first?.wire.isError ?? true),
    partial: partial === null ? null : cutText(partial, OUTPUT_LIMIT),
    cwd: asString(logged?.kind === "assistant" ? logged.json.cwd : null),
  };
}

function callBlock({ table }: OpenSession, record: number, place: number): number {
  const first = table.records.get("firstBlock", record);
  for (
    let block = first;
    block < table.blocks.size && table.blocks.get("record", block) === record;
    block++
  ) {
    if (table.blocks.get("index", block) === place && table.blocks.get("call", block) !== NONE) return block;
  }
  throw notACall();
}

function notACall(): ViewerError {
  return new ViewerError("call-not-found", "There is no tool call at this place of the record", {
    hint: "Open the record itself.",
  });
}

function outputBlocks(
  result: Extract<ContentBlock, { kind: "tool-result" }>,
  recordId: RecordId,
  firstBlob: number,
): OutputBlock[] {
  let n = firstBlob;
  return result.content.map((block): OutputBlock => {
    if (block.kind === "text") return { kind: "text", text: cutText(block.text, OUTPUT_LIMIT) };
    if (block.kind !== "media") return { kind: "other", type: block.type, json: limited(block.json) };
    const record = { kind: "user", blocks: [block] } as unknown as Parameters<typeof blobRefs>[0];
    const [blob] = blobRefs(record, recordId, null);
    return blob
      ? { kind: "blob", blob: { ...blob, n: n++ } }
      : { kind: "other", type: block.type, json: null };
  });
}

/** The value with long strings cut. Recursion is bounded by depth: logs can nest as deep as they like. */
function limited(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cutText(value, FIELD_LIMIT).text;
  if (typeof value !== "object" || value === null) return value;
  if (depth > 64) return "…";
  if (Array.isArray(value)) return asArray(value).map((one) => limited(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, limited(one, depth + 1)]));
}

/** The bytes of a record's `n`th image or document, with the media type that the bytes themselves show. */
export async function blobOf(
  session: OpenSession,
  recordId: RecordId,
  n: number,
): Promise<{ bytes: Uint8Array; mediaType: string | null }> {
  const record = session.find(recordId);
  const logged = (await readRecords(session, [record]))(record);
  const kept = logged ? await readPersisted(session, logged, n) : null;
  if (kept) return { bytes: kept, mediaType: null };
  const blob = logged && logged.kind !== "unreadable" ? storedBlobs(logged)[n] : undefined;
  if (!blob?.data)
    throw new ViewerError("blob-not-found", "There is no image or document at this place of the record", {
      hint: "Open the record itself.",
    });
  const [ref] = blobRefs(logged, recordId, null).slice(n, n + 1);
  return { bytes: Buffer.from(blob.data, "base64"), mediaType: ref?.mediaType ?? null };
}
