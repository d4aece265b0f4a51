import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";
import { BriefRequest, TurnPath } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string; turn: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { turn } = await parsePath(context.params, TurnPath);
    return sessions.brief(id, turn, parseSearchParams(request, BriefRequest).branch);
  });
}
