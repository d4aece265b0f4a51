import { readExtra } from "@/lib/server/extras/session-extras";
import { parsePath } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";
import { ExtraPath } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string; extraId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (_sessions, id, { catalog }) => {
    const { extraId } = await parsePath(context.params, ExtraPath);
    return readExtra(catalog.surroundings(id), extraId);
  });
}
