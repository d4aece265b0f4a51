import { doctorOf } from "@/lib/server/doctor/doctor";
import { formatDoctor } from "@/lib/server/doctor/format-doctor";
import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { DoctorRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const { session, format } = parseSearchParams(request, DoctorRequest);
    const catalog = await freshCatalog(getState());
    if (!catalog.listed) await catalog.list();
    if (session !== null) await catalog.settle(session);
    const doctor = doctorOf(catalog);
    if (format === "json") return doctor.report(session);
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response(formatDoctor(await doctor.whole(session)), { headers });
  });
}
