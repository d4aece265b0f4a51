import { ownerRoute } from "@/lib/server/http/route";
import { HitStatesBody } from "@/lib/wire/requests/search";

/** The states of hits, as `is:` asks for them: a failed call, a branch that was left, before a compaction. */
export const POST = ownerRoute({ body: HitStatesBody }, async ({ state, body }) => ({
  states: await state.search.states(body.hits),
}));
