import { asString } from "@/lib/records/json";
import type { ReadableRecord, SessionRecord } from "@/lib/records/session-record";
import { Flag } from "../kinds";
import type { SessionTable } from "../session-table";
import { storedBlobs } from "../stored-blobs";

const NONE = -1;

/** Appends the columns that every record has, and returns its index. `type` is what a reader is told of it. */
export function pushRecord(
  table: SessionTable,
  file: number,
  record: SessionRecord,
  kind: number,
  type: string,
): number {
  const readable = record.kind === "unreadable" ? null : record;
  const version = asString(readable?.json.version);
  return table.records.push({
    file,
    offset: record.at.offset,
    length: record.at.length,
    line: record.at.line,
    kind,
    flags: readable ? flagsOf(readable) : 0,
    atMs: readable?.atMs ?? Number.NaN,
    uuid: readable?.uuid ? table.uuids.intern(readable.uuid) : NONE,
    parent: readable?.parentUuid ? table.uuids.intern(readable.parentUuid) : NONE,
    link: NONE,
    message: NONE,
    firstBlock: table.blocks.size,
    type: table.types.intern(type),
    version: table.versions.intern(version ?? ""),
    images: readable ? storedBlobs(readable).filter((blob) => blob.kind === "image").length : 0,
  });
}

/** Appends a block of the record added last, and returns its index. Without `index` it stands for the whole record. */
export function pushBlock(
  table: SessionTable,
  record: number,
  kind: number,
  level: number,
  index = NONE,
  call = NONE,
): number {
  return table.blocks.push({ record, index, kind, level, call, next: NONE });
}

function flagsOf(record: ReadableRecord): number {
  return (
    (record.isSidechain ? Flag.sidechain : 0) |
    (record.isMeta ? Flag.meta : 0) |
    (record.uuid ? Flag.node : 0) |
    (record.kind === "assistant" && record.isApiError ? Flag.apiError : 0) |
    (record.kind === "metadata" && record.json.explicit === true ? Flag.explicitLeaf : 0) |
    (record.json.is_active === true ? Flag.activeFork : 0) |
    (record.json.is_active === false ? Flag.inactiveFork : 0)
  );
}
