import { addForGuest, commentsForGuest, type SharedSession } from "@/lib/server/annotations/guest-comments";
import type { Guest } from "@/lib/server/shares/shares";
import type { Annotation, AnnotationsResponse } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import type { AnnotationBody, AnnotationsRequest, Checked } from "@/lib/wire/requests";
import type { Caller } from "./caller";
import type { Library } from "./library";
import { getState } from "./state";

/** What was put on a session, or on all: for a guest the comments on theirs. Throws `session-not-found`. */
export async function listAnnotations(
  { session, kinds }: Checked<typeof AnnotationsRequest>,
  library: Library,
  caller: Caller,
): Promise<AnnotationsResponse> {
  const { annotations, catalog } = getState();
  if (caller.kind === "guest")
    return commentsForGuest(annotations, await sharedSession(session, library, caller.guest));
  if (session) await catalog.settle(session);
  return annotations.list(session, kinds);
}

/** Adds one: for a guest a comment on their session. Throws what `Annotations.add` and `addForGuest` throw. */
export async function addAnnotation(
  body: Checked<typeof AnnotationBody>,
  library: Library,
  caller: Caller,
): Promise<Annotation> {
  const { annotations, catalog } = getState();
  const { sessionId } = body.target;
  if (caller.kind === "guest")
    return addForGuest(annotations, await sharedSession(sessionId, library, caller.guest), body);
  if (sessionId) await catalog.settle(sessionId);
  // Of a session whose logs are gone a thread may still be answered.
  if (sessionId && body.replyTo === null) catalog.sessionFiles(sessionId);
  return annotations.add(body);
}

/** The one session that there is for a guest; any other is none. */
async function sharedSession(
  asked: SessionId | null,
  { catalog, sessions }: Library,
  { sessionId, redact }: Guest<Library>,
): Promise<SharedSession> {
  const id = asked ?? catalog.summaries()[0]?.id ?? sessionId;
  await catalog.settle(id);
  const copy = await sessions.latest(id);
  return { sessionId, original: await getState().sessions.latest(sessionId), copy, redact };
}
