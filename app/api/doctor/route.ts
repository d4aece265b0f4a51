import { z } from "zod";
import { doctorOf } from "@/lib/server/doctor/doctor";
import { formatDoctor } from "@/lib/server/doctor/format-doctor";
import { freshCatalog } from "@/lib/server/http/health";
import { parseQuery, SessionIdParam } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

const Query = z.object({
  session: SessionIdParam.nullable().default(null),
  format: z.enum(["json", "text"]).default("json"),
});

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const { session, format } = parseQuery(request, Query);
    const catalog = await freshCatalog(getState());
    if (!catalog.listed) await catalog.list();
    if (session !== null) await catalog.settle(session);
    const doctor = doctorOf(catalog);
    if (format === "json") return doctor.report(session);
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response(formatDoctor(await doctor.whole(session)), { headers });
  });
}
