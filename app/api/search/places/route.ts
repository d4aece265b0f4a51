import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { HitPlacesRequest } from "@/lib/wire/requests";

/** Where hits of a search stand: their turn, and the call that they are of. */
export function GET(request: Request): Promise<Response> {
  return respond(request, async ({ search }) => {
    const { hits } = parseSearchParams(request, HitPlacesRequest);
    return { places: await search.places(hits) };
  });
}
