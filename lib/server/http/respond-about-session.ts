import { z } from "zod";
import type { SessionQueries } from "@/lib/server/session/session-queries";
import type { SessionId } from "@/lib/wire/ids";
import { parsePath, SessionIdParam } from "./parameters";
import { respond } from "./respond";
import { getState } from "./state";

export type SessionContext = { params: Promise<{ id: string }> };

const Path = z.object({ id: SessionIdParam });

/** `respond` for what lies below `/api/sessions/{id}`: a session that is not listed yet is waited for. */
export function respondAboutSession(
  request: Request,
  { params }: SessionContext,
  answer: (sessions: SessionQueries, id: SessionId) => unknown,
): Promise<Response> {
  return respond(request, async () => {
    const { id } = await parsePath(params, Path);
    const { catalog, sessions } = getState();
    await catalog.settle(id);
    return answer(sessions, id);
  });
}
