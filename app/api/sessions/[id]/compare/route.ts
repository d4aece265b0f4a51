import { sessionRoute } from "@/lib/server/http/route";
import { CompareRequest } from "@/lib/wire/requests/compare";

export const GET = sessionRoute({ query: CompareRequest }, ({ sessions, id, query: { pair, ...sides } }) =>
  pair === null ? sessions.compare(id, sides) : sessions.comparedPair(id, sides, pair),
);
