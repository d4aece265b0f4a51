import { listExtras } from "@/lib/server/extras/session-extras";
import { sessionRoute } from "@/lib/server/http/route";

export const GET = sessionRoute({}, ({ library, id }) => listExtras(library.catalog.surroundings(id)));
