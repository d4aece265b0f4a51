import type { ExportedFile } from "@/lib/server/export/export-session";
import { isAuthorised } from "./authorise";
import { streamOf } from "./respond";
import { getState } from "./state";

/** Tells whether a request may download: by the token, or by a ticket for exactly this address. */
export function mayDownload(request: Request): boolean {
  if (isAuthorised(request)) return true;
  const url = new URL(request.url);
  const ticket = url.searchParams.get("ticket");
  if (ticket === null) return false;
  url.searchParams.delete("ticket");
  return getState().tickets.redeem(ticket, `${url.pathname}${url.search}`);
}

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
