import { streamOf } from "./respond";

/** The pieces as a download of this name. A reader that goes away ends the work. */
export function downloadResponse(
  pieces: AsyncGenerator<string | Uint8Array>,
  name: string,
  type: string,
): Response {
  const stream = streamOf(pieces, (piece) => piece);
  return new Response(stream, {
    headers: {
      "content-type": type,
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
