import { allowedHosts, shareAddresses } from "@/lib/server/http/hosts";
import { ownerRoute } from "@/lib/server/http/route";
import { ShareBody } from "@/lib/wire/requests/shares";
import type { SharesResponse } from "@/lib/wire/shares";

export const GET = ownerRoute({}, async ({ state }): Promise<SharesResponse> => {
  const addresses = shareAddresses(allowedHosts(process.env));
  return { shares: await state.shares.list(), addresses };
});

export const POST = ownerRoute({ body: ShareBody }, ({ state, body }) => state.shares.create(body));
