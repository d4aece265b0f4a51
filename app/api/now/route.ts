import { ownerRoute } from "@/lib/server/http/route";
import { nowTiles } from "@/lib/server/live/now-tiles";

export const GET = ownerRoute({}, ({ state }) => nowTiles(state));
