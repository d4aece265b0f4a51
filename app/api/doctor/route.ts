import { doctorOf } from "@/lib/server/doctor/doctor";
import { formatDoctor } from "@/lib/server/doctor/format-doctor";
import { freshCatalog } from "@/lib/server/http/library";
import { ownerRoute } from "@/lib/server/http/route";
import type { DoctorAnswer } from "@/lib/wire/doctor";
import { DoctorRequest } from "@/lib/wire/requests";

export const GET = ownerRoute({ query: DoctorRequest }, async ({ state, query }) => {
  const { session, format } = query;
  const catalog = await freshCatalog(state);
  // With what is only kept.
  await catalog.untilListed();
  if (session !== null) await catalog.settle(session);
  const doctor = doctorOf(catalog);
  const warnings = session === null ? state.warnings : [];
  if (format === "json") {
    const report = await doctor.report(session);
    return "scanning" in report ? report : ({ ...report, warnings } satisfies DoctorAnswer);
  }
  const headers = { "content-type": "text/plain; charset=utf-8" };
  const report = await doctor.whole(session);
  return new Response(formatDoctor(report, warnings), { headers });
});
