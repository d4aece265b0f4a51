import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";

/** An image or document of a record's content, in reading order, those inside results included. */
export type StoredBlob = {
  kind: "image" | "document";
  data: string | null;
  url: string | null;
  saidType: string | null;
  name: string | null;
};

/** All blobs of a record. Their places in this list are their numbers on the wire. */
export function storedBlobs(record: SessionRecord): StoredBlob[] {
  if (record.kind === "user" || record.kind === "assistant") return record.blocks.flatMap(blobsOf);
  if (record.kind === "attachment" && Array.isArray(record.attachment.prompt)) {
    return record.attachment.prompt.flatMap((block) => {
      const json = asObject(block);
      return json && (json.type === "image" || json.type === "document") ? [toBlob(json)] : [];
    });
  }
  return [];
}

/** False for a block of which `storedBlobs` finds nothing. */
export function mayHoldBlobs(block: ContentBlock): boolean {
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

/** How many blobs stand in the blocks before this one: the number of its first. */
export function firstBlobOf(record: SessionRecord, block: number): number {
  if (record.kind !== "user" && record.kind !== "assistant") return 0;
  return record.blocks.slice(0, block).flatMap(blobsOf).length;
}
