import { sessionRoute } from "@/lib/server/http/route";
import { MessagesRequest } from "@/lib/wire/requests/records";

export const GET = sessionRoute({ query: MessagesRequest }, ({ sessions, id, query }) =>
  sessions.messages(id, query.at),
);
