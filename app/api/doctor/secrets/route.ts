import { formatSecrets, toSarif } from "@/lib/server/doctor/format-secrets";
import { secretsDoctorOf } from "@/lib/server/doctor/secrets-report";
import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { DoctorSecretsRequest } from "@/lib/wire/requests";

/** The secrets in all sessions or in one, by kind and session, with where. */
export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const { session, format } = parseSearchParams(request, DoctorSecretsRequest);
    const { secrets, config } = getState();
    const catalog = await freshCatalog(getState());
    if (!catalog.listed) await catalog.list();
    if (session !== null) await catalog.settle(session);
    const doctor = secretsDoctorOf(catalog, secrets);
    if (format === "json") return doctor.report(session);
    const report = await doctor.whole(session);
    if (format === "sarif") return toSarif(report, config.version);
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response(formatSecrets(report), { headers });
  });
}
