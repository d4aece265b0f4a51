import { allowedHosts, shareAddresses } from "@/lib/server/http/hosts";
import { parseBody } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { ShareBody } from "@/lib/wire/requests";
import type { SharesResponse } from "@/lib/wire/shares";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (): Promise<SharesResponse> => {
    const addresses = shareAddresses(allowedHosts(process.env));
    return { shares: await getState().shares.list(), addresses };
  });
}

export function POST(request: Request): Promise<Response> {
  return respond(request, async () => getState().shares.create(await parseBody(request, ShareBody)));
}
