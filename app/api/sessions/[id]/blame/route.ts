import { sessionRoute } from "@/lib/server/http/route";
import { FileRequest } from "@/lib/wire/requests/files";

export const GET = sessionRoute({ query: FileRequest }, ({ sessions, id, query }) =>
  sessions.blame(id, query.path, query.at),
);
