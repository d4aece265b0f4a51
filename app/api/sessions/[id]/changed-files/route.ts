import { exportChangedFiles } from "@/lib/server/export/changed-files";
import { downloadResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { ChangedFilesRequest } from "@/lib/wire/requests/files";

export const GET = sessionRoute({ query: ChangedFilesRequest }, async ({ sessions, id, query }) =>
  downloadResponse(await exportChangedFiles(sessions, id, query.at)),
);
