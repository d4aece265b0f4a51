import { sessionRoute } from "@/lib/server/http/route";
import { FileVersionsRequest } from "@/lib/wire/requests/files";

export const GET = sessionRoute({ query: FileVersionsRequest }, ({ sessions, id, query }) =>
  sessions.fileVersions(id, query.path),
);
