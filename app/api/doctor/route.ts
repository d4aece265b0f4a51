import { doctorOf } from "@/lib/server/doctor/doctor";
import { formatDoctor } from "@/lib/server/doctor/format-doctor";
import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import type { DoctorAnswer } from "@/lib/wire/doctor";
import { DoctorRequest } from "@/lib/wire/requests/doctor";

export const GET = ownerRoute({ query: DoctorRequest }, async ({ state, query }) => {
  const { session, format } = query;
  const catalog = await freshCatalog(state);
  // With what is only kept.
  await catalog.untilListed();
  if (session !== null) await catalog.settle(session);
  const doctor = doctorOf(catalog);
  const warnings = session === null ? state.warnings : [];
  const histories = async () => (session === null ? await state.prompts.histories() : []);
  if (format === "json") {
    const report = await doctor.report(session);
    if ("scanning" in report) return report;
    return { ...report, warnings, histories: await histories() } satisfies DoctorAnswer;
  }
  const headers = { "content-type": "text/plain; charset=utf-8" };
  const report = await doctor.whole(session);
  return new Response(formatDoctor(report, warnings, await histories()), { headers });
});
