import { route } from "@/lib/server/http/route";
import { HitPlacesRequest } from "@/lib/wire/requests/search";

/** Where hits of a search stand: their turn, and the call that they are of. */
export const GET = route({ query: HitPlacesRequest }, async ({ library, query }) => ({
  places: await library.search.places(query.hits),
}));
