import { firstBlobOf, storedBlobs } from "@/lib/log/adding/push-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { RecordId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";

/** The blobs of one block, or of all, as sent to the page. Sizes are those of the complete base64 text. */
export function blobRefs(record: SessionRecord | null, recordId: RecordId, block: number | null): BlobRef[] {
  if (!record || record.kind === "unreadable") return [];
  const all = storedBlobs(record);
  const from = block === null ? 0 : firstBlobOf(record, block);
  const to = block === null ? all.length : firstBlobOf(record, block + 1);
  return all.slice(from, to).map((blob, index) => ({
    recordId,
    n: from + index,
    kind: blob.kind,
    mediaType: blob.data === null ? null : sniffBase64(blob.data),
    bytes: null,
    name: blob.name ?? blob.saidType,
  }));
}

const SIGNATURES: readonly [string, string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** The media type of base64 data by its first bytes: png, jpeg, gif or webp, else `null`. The type in the log is not trusted. */
function sniffBase64(data: string): string | null {
  for (const [start, type] of SIGNATURES) {
    if (!data.startsWith(start)) continue;
    // RIFF contains more formats than WebP: the fourth word tells them apart.
    if (type === "image/webp" && data.slice(11, 16) !== "XRUJQ") continue;
    return type;
  }
  return null;
}
