import { formatBytes } from "@/lib/format/format-bytes";
import type { BlobRef } from "@/lib/wire/row-base";

const NAMES = new Map([
  ["image/png", "PNG"],
  ["image/jpeg", "JPEG"],
  ["image/gif", "GIF"],
  ["image/webp", "WebP"],
  ["application/pdf", "PDF"],
]);

/** What a blob is: `PNG, 84 kB`. */
export function blobWords({ mediaType, kind, bytes, name: title }: BlobRef): string {
  // A document without a title is named by the type that the log says it has.
  const type = mediaType ?? (title && NAMES.has(title) ? title : null);
  const name = type ? (NAMES.get(type) ?? type) : kind;
  return bytes === null ? name : `${name}, ${formatBytes(bytes)}`;
}

/** The same behind its title, if it has one. */
export function titledBlobWords(blob: BlobRef): string {
  const title = blob.name !== null && NAMES.has(blob.name) ? null : blob.name;
  return [title, blobWords(blob)].filter(Boolean).join(" · ");
}
