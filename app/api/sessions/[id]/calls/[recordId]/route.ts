import { sessionRoute } from "@/lib/server/http/route";
import { CallRequest, RecordPath } from "@/lib/wire/requests/records";

export const GET = sessionRoute({ query: CallRequest, path: RecordPath }, ({ sessions, id, query, path }) => {
  const { block, original } = query;
  return original === null
    ? sessions.call(id, path.recordId, block)
    : sessions.originalLines(id, path.recordId, block, original);
});
