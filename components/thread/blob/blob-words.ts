import { formatBytes } from "@/lib/text/format-bytes";
import type { BlobRef } from "@/lib/wire/rows";

const NAMES = new Map([
  ["image/png", "PNG"],
  ["image/jpeg", "JPEG"],
  ["image/gif", "GIF"],
  ["image/webp", "WebP"],
  ["application/pdf", "PDF"],
]);

/** What a blob is: `PNG, 84 kB`. */
export function blobWords({ mediaType, kind, bytes }: BlobRef): string {
  const name = mediaType ? (NAMES.get(mediaType) ?? mediaType) : kind;
  return bytes === null ? name : `${name}, ${formatBytes(bytes)}`;
}
