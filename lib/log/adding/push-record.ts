import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { ReadableRecord, SessionRecord } from "@/lib/log/records/session-record";
import { Flag } from "@/lib/log/table/kinds";
import { putRareValue } from "@/lib/log/table/rare-values";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;
const MAX_TOOK_MS = 2 ** 32 - 1;

/** Appends the columns that every record has, and returns its index. `type` is the name shown to a reader. */
export function pushRecord(
  table: SessionTable,
  file: number,
  record: SessionRecord,
  kind: number,
  type: string,
): number {
  const readable = record.kind === "unreadable" ? null : record;
  const version = asString(readable?.json.version);
  // Column by column, by name: a loop over the names would cost a tenth of a scan.
  const { records } = table;
  const index = records.add();
  records.file.put(index, file);
  records.offset.put(index, record.at.offset);
  records.length.put(index, record.at.length);
  records.line.put(index, record.at.line);
  records.kind.put(index, kind);
  records.flags.put(index, readable ? flagsOf(readable) : 0);
  records.atMs.put(index, readable?.atMs ?? Number.NaN);
  records.uuid.put(index, readable?.uuid ? table.uuids.intern(readable.uuid) : NONE);
  records.parent.put(index, readable?.parentUuid ? table.uuids.intern(readable.parentUuid) : NONE);
  records.link.put(index, NONE);
  records.message.put(index, NONE);
  records.firstBlock.put(index, table.blocks.size);
  records.type.put(index, table.types.intern(type));
  records.version.put(index, table.versions.intern(version ?? ""));
  const images = readable ? imagesOf(readable) : 0;
  if (images > 0) putRareValue(table.images, index, images);
  return index;
}

/** Notes how long the line of the last record says that something took. @param ms none and nonsense are left out */
export function noteTook({ tookMs }: SessionTable, record: number, ms: number | null): void {
  if (ms !== null && ms > 0 && ms < MAX_TOOK_MS) putRareValue(tookMs, record, Math.max(1, Math.round(ms)));
}

/** Appends a block of the last record, and returns its index. Without `index` it represents the whole record. */
export function pushBlock(
  table: SessionTable,
  record: number,
  kind: number,
  level: number,
  index = NONE,
  call = NONE,
): number {
  // Like those of records, column by column: asking for all of them makes an object a block.
  const { blocks } = table;
  const block = blocks.add();
  blocks.record.put(block, record);
  blocks.index.put(block, index);
  blocks.kind.put(block, kind);
  blocks.level.put(block, level);
  blocks.call.put(block, call);
  return block;
}

function imagesOf(record: ReadableRecord): number {
  // Most records hold none, and a list allocated for each would be most of its cost.
  const hasBlocks = record.kind === "user" || record.kind === "assistant";
  if (hasBlocks ? !record.blocks.some(mayHoldBlobs) : record.kind !== "attachment") return 0;
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

/** An image or document in a record's content, in reading order, including those inside results. */
export type StoredBlob = {
  kind: "image" | "document";
  data: string | null;
  url: string | null;
  saidType: string | null;
  name: string | null;
};

/** All blobs of a record. Their indexes in this list are their numbers on the wire. */
export function storedBlobs(record: SessionRecord): StoredBlob[] {
  if (record.kind === "user" || record.kind === "assistant") return record.blocks.flatMap(blobsOf);
  if (record.kind !== "attachment") return [];
  const { prompt, content } = record.attachment;
  if (!Array.isArray(prompt)) return mentionedBlob(asObject(content));
  return prompt.flatMap((block) => {
    const json = asObject(block);
    return json && (json.type === "image" || json.type === "document") ? [toBlob(json)] : [];
  });
}

/** An image or a PDF that a prompt mentions by its path: its attachment is what Read would have returned of it. */
function mentionedBlob(read: JsonObject | null): StoredBlob[] {
  const file = asObject(read?.file);
  const data = asString(file?.base64);
  if (data === null || (read?.type !== "image" && read?.type !== "pdf")) return [];
  const [kind, type] =
    read.type === "image" ? (["image", null] as const) : (["document", "application/pdf"] as const);
  return [{ kind, data, url: null, saidType: asString(file?.type) ?? type, name: null }];
}

/** False for a block in which `storedBlobs` finds nothing. */
function mayHoldBlobs(block: ContentBlock): boolean {
  return block.kind === "media" || (block.kind === "tool-result" && block.content.some(mayHoldBlobs));
}

function blobsOf(block: ContentBlock): StoredBlob[] {
  if (block.kind === "media") return [toBlob(block.json)];
  return block.kind === "tool-result" ? block.content.flatMap(blobsOf) : [];
}

function toBlob(json: JsonObject): StoredBlob {
  const source = asObject(json.source);
  return {
    kind: json.type === "document" ? "document" : "image",
    data: asString(source?.data),
    url: asString(source?.url),
    saidType: asString(source?.media_type),
    name: asString(json.title),
  };
}

/** Number of blobs in the blocks before this one, which is the number of its first blob. */
export function firstBlobOf(record: SessionRecord, block: number): number {
  if (record.kind !== "user" && record.kind !== "assistant") return 0;
  return record.blocks.slice(0, block).flatMap(blobsOf).length;
}
