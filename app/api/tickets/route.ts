import { z } from "zod";
import { parseBody } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

const Body = z.object({
  path: z
    .string()
    .max(2000)
    .regex(/^\/api\/sessions\/[A-Za-z0-9._~-]+\/export\?format=[a-z]+$/, "an export's path and query"),
});

export function POST(request: Request): Promise<Response> {
  return respond(request, async () => getState().tickets.issue((await parseBody(request, Body)).path));
}
