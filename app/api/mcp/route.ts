import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { allowedHosts, shareAddresses } from "@/lib/server/http/hosts";
import { ownerRoute } from "@/lib/server/http/route";
import { answerMcp } from "@/lib/server/mcp/mcp-handler";
import { McpRequest } from "@/lib/wire/requests/mcp";

export const POST = ownerRoute(
  { query: McpRequest },
  async ({ state, request, query: { redact, links } }) => {
    const catalog = await freshCatalog(state);
    await catalog.untilListed();
    const [own] = shareAddresses(allowedHosts(process.env));
    const page = links && own ? `${own.origin}${process.env.BACKSCROLL_BASE_PATH ?? ""}` : null;
    return answerMcp({ ...state, page, redacts: redact }, state.config.version, request);
  },
);
