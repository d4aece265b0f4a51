import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { nowTiles } from "@/lib/server/live/now-tiles";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => nowTiles(getState()));
}
