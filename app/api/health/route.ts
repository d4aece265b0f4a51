import { toHealth } from "@/lib/server/health";
import { respond } from "@/lib/server/respond";
import { getState } from "@/lib/server/state";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => toHealth(getState()));
}
