/** Types that a page may show as they are. Everything else is a download: SVG and HTML can hold scripts. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const NOSNIFF = { "x-content-type-options": "nosniff" };

/** An image with its sniffed type, or anything else as an attachment of unknown type. */
export function blobResponse({
  bytes,
  mediaType,
}: {
  bytes: Uint8Array;
  mediaType: string | null;
}): Response {
  const shown = mediaType !== null && SHOWN.has(mediaType);
  const headers = {
    ...NOSNIFF,
    "content-length": String(bytes.byteLength),
    "content-type": shown ? mediaType : "application/octet-stream",
    "content-disposition": shown ? "inline" : "attachment",
  };
  // Copied into a buffer of its own: a Response takes no view of a shared one.
  return new Response(new Uint8Array(bytes), { headers });
}

/** A record's bytes as they are on disk. */
export function rawResponse({
  stream,
  bytes,
}: {
  stream: ReadableStream<Uint8Array>;
  bytes: number;
}): Response {
  const headers = {
    ...NOSNIFF,
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(bytes),
  };
  return new Response(stream, { headers });
}
