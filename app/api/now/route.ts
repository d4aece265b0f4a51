import { nowTiles } from "@/lib/server/live/now-tiles";
import { respond } from "@/lib/server/respond";
import { getState } from "@/lib/server/state";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => nowTiles(getState()));
}
