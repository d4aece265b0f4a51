import { sessionRoute } from "@/lib/server/http/route";
import { FileAtRequest } from "@/lib/wire/requests/files";

export const GET = sessionRoute({ query: FileAtRequest }, ({ sessions, id, query }) =>
  sessions.file(id, query),
);
