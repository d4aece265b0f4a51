import { formatSecrets, toSarif } from "@/lib/server/doctor/format-secrets";
import { secretsDoctorOf } from "@/lib/server/doctor/secrets-report";
import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { DoctorSecretsRequest } from "@/lib/wire/requests/doctor";

/** The secrets in all sessions or in one, by kind and session, with where. */
export const GET = ownerRoute({ query: DoctorSecretsRequest }, async ({ state, query }) => {
  const { session, format } = query;
  const catalog = await freshCatalog(state);
  // With what is only kept.
  await catalog.untilListed();
  if (session !== null) await catalog.settle(session);
  const doctor = secretsDoctorOf(catalog, state.secrets);
  if (format === "json") return doctor.report(session);
  const report = await doctor.whole(session);
  if (format === "sarif") return toSarif(report, state.config.version);
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(formatSecrets(report), { headers });
});
