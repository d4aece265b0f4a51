import { asString } from "@/lib/log/records/json";
import type { ReadableRecord, SessionRecord } from "@/lib/log/records/session-record";
import { Flag } from "./kinds";
import type { SessionTable } from "./session-table";
import { mayHoldBlobs, storedBlobs } from "./stored-blobs";

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
  // Column by column, by name: a loop over the names is a tenth of a scan.
  const index = table.records.add();
  const { columns } = table.records;
  columns.file[index] = file;
  columns.offset[index] = record.at.offset;
  columns.length[index] = record.at.length;
  columns.line[index] = record.at.line;
  columns.kind[index] = kind;
  columns.flags[index] = readable ? flagsOf(readable) : 0;
  columns.atMs[index] = readable?.atMs ?? Number.NaN;
  columns.uuid[index] = readable?.uuid ? table.uuids.intern(readable.uuid) : NONE;
  columns.parent[index] = readable?.parentUuid ? table.uuids.intern(readable.parentUuid) : NONE;
  columns.link[index] = NONE;
  columns.message[index] = NONE;
  columns.firstBlock[index] = table.blocks.size;
  columns.type[index] = table.types.intern(type);
  columns.version[index] = table.versions.intern(version ?? "");
  columns.images[index] = readable ? imagesOf(readable) : 0;
  return index;
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
  const block = table.blocks.add();
  const { columns } = table.blocks;
  columns.record[block] = record;
  columns.index[block] = index;
  columns.kind[block] = kind;
  columns.level[block] = level;
  columns.call[block] = call;
  columns.next[block] = NONE;
  return block;
}

function imagesOf(record: ReadableRecord): number {
  // Most records hold none, and a list made for each would be most of its cost.
  const isSaid = record.kind === "user" || record.kind === "assistant";
  if (isSaid ? !record.blocks.some(mayHoldBlobs) : record.kind !== "attachment") return 0;
  let images = 0;
  for (const blob of storedBlobs(record)) if (blob.kind === "image") images += 1;
  return images;
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
