import { toHealth } from "@/lib/server/http/health";
import { respond } from "@/lib/server/http/respond";

export function GET(request: Request): Promise<Response> {
  return respond(request, toHealth);
}
