import { z } from "zod";
import { BranchIdParam, count, parsePath, parseQuery } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";

const Path = z.object({ turn: count(1, 1e7) });
const Query = z.object({ branch: BranchIdParam.nullable().default(null) });

type Context = { params: Promise<{ id: string; turn: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { turn } = await parsePath(context.params, Path);
    return sessions.brief(id, turn, parseQuery(request, Query).branch);
  });
}
