import { listOriginals, readOriginal } from "@/lib/server/extras/original-files";
import { downloadResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { OriginalsRequest } from "@/lib/wire/requests/records";
import type { OriginalsResponse } from "@/lib/wire/session";

export const GET = sessionRoute({ query: OriginalsRequest }, async ({ library, id, query }) => {
  const files = library.catalog.sessionFiles(id);
  const around = library.catalog.surroundings(id);
  if (query.path === null) return { files: await listOriginals(files, around) } satisfies OriginalsResponse;
  const { bytes, pieces } = await readOriginal(files, around, query.path);
  const mediaType = "application/octet-stream";
  const response = await downloadResponse({ name: `${id}.original`, mediaType, pieces });
  response.headers.set("content-length", String(bytes));
  return response;
});
