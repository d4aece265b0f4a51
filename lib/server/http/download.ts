import type { ExportedFile } from "@/lib/server/export/export-session";
import { streamOf } from "./respond";

/** A file as a download. A reader that goes away ends the work. */
export function downloadResponse({ name, mediaType, pieces }: ExportedFile): Response {
  const stream = streamOf(pieces, (piece) => piece);
  return new Response(stream, {
    headers: {
      "content-type": mediaType,
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
