import { blobResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { BlobPath } from "@/lib/wire/requests/records";

export const GET = sessionRoute({ path: BlobPath }, async ({ sessions, id, path }) =>
  blobResponse(await sessions.blob(id, path.recordId, path.n)),
);
