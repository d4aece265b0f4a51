import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => getState().archive.status());
}
