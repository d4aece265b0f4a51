import { rawResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { RecordPath, RecordRequest } from "@/lib/wire/requests/records";

export const GET = sessionRoute(
  { query: RecordRequest, path: RecordPath },
  async ({ sessions, id, query, path }) =>
    query.raw ? rawResponse(await sessions.rawRecord(id, path.recordId)) : sessions.record(id, path.recordId),
);
