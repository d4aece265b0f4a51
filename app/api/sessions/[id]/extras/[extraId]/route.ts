import { z } from "zod";
import { readExtra } from "@/lib/server/extras/session-extras";
import { parsePath } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

const Path = z.object({
  extraId: z.string().regex(/^[0-9a-f]{12}$/, "an id that the list of extras gave out"),
});

type Context = { params: Promise<{ id: string; extraId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (_sessions, id) => {
    const { extraId } = await parsePath(context.params, Path);
    return readExtra(getState().catalog.surroundings(id), extraId);
  });
}
