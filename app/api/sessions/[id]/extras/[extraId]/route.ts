import { readExtra } from "@/lib/server/extras/session-extras";
import { sessionRoute } from "@/lib/server/http/route";
import { ExtraPath } from "@/lib/wire/requests/records";

export const GET = sessionRoute({ path: ExtraPath }, ({ library, id, path }) =>
  readExtra(library.catalog.surroundings(id), path.extraId),
);
