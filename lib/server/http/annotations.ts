import { createHash } from "node:crypto";
import type { Rewriting } from "@/lib/redact/home-folder";
import {
  addForGuest,
  changeForGuest,
  commentsForGuest,
  removeForGuest,
  type SharedSession,
} from "@/lib/server/annotations/guest-comments";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { type Annotation, type AnnotationsResponse, WRITER_HEADER } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import type {
  AnnotationBody,
  AnnotationChange,
  AnnotationRemoval,
  AnnotationsRequest,
} from "@/lib/wire/requests/annotations";
import type { Checked } from "@/lib/wire/requests/values";
import type { Caller } from "./caller";
import type { Library } from "./library";
import { getState } from "./state";

/** Who asks for what: their request, and what there is for them. */
type Asker = { request: Request; library: Library; caller: Caller };

/** What was put on a session, or on all: for a guest the comments on theirs. Throws `session-not-found`. */
export async function listAnnotations(
  { session, kinds }: Checked<typeof AnnotationsRequest>,
  asker: Asker,
): Promise<AnnotationsResponse> {
  const { annotations, catalog } = getState();
  const shared = await sharedSession(session, asker);
  if (shared) return commentsForGuest(annotations, shared);
  if (session) await catalog.settle(session);
  return annotations.list(session, kinds);
}

/**
 * The comments on a session as they stand in an export by who asks for it, with the same replaced in them: for a guest
 * those that they see. Throws ViewerErrors: `bad-parameter` for a guest whose link is not for comments, and
 * `annotations-unreadable`.
 */
export async function commentsInExport(
  id: SessionId,
  redaction: Rewriting | null,
  asker: Asker,
): Promise<readonly Annotation[]> {
  const { access, sessions } = asker.library;
  if (access.kind === "share" && !access.comments)
    throw new ViewerError("bad-parameter", "This link is not for comments", {
      status: 400,
      hint: "Ask for the export without them, or whoever shared the session for another link.",
    });
  const shared = await sharedSession(id, asker);
  if (!shared) return commentsOfOwner(id, redaction);
  const copy = redaction ? await sessions.redactedBy(redaction).latest(id) : shared.copy;
  const redact = async (text: string) => {
    const seen = await shared.redact(text);
    return redaction ? redaction.redactText(seen) : seen;
  };
  const { annotations } = await commentsForGuest(getState().annotations, { ...shared, copy, redact });
  return annotations;
}

/** The same for an export of the owner's. Throws `annotations-unreadable`. */
export async function commentsOfOwner(
  sessionId: SessionId,
  redaction: Rewriting | null,
): Promise<readonly Annotation[]> {
  const { annotations, sessions } = getState();
  if (!redaction) return (await annotations.list(sessionId, ["comment"])).annotations;
  const seen = await commentsForGuest(annotations, {
    sessionId,
    original: await sessions.latest(sessionId),
    copy: await sessions.redactedBy(redaction).latest(sessionId),
    ...{ sameLines: true, writer: null, redacted: true, redact: async (text) => redaction.redactText(text) },
  });
  return seen.annotations;
}

/** Adds one: for a guest a comment on their session. Throws what `Annotations.add` and `addForGuest` throw. */
export async function addAnnotation(body: Checked<typeof AnnotationBody>, asker: Asker): Promise<Annotation> {
  const { annotations, catalog } = getState();
  const { sessionId } = body.target;
  const shared = await sharedSession(sessionId, asker);
  if (shared) return addForGuest(annotations, shared, body);
  if (sessionId) await catalog.settle(sessionId);
  // Of a session whose logs are gone a thread may still be answered.
  if (sessionId && body.replyTo === null) catalog.sessionFiles(sessionId);
  return annotations.add(body);
}

/** Changes one: a guest what they wrote. Throws what `Annotations.change` and `changeForGuest` throw. */
export async function changeAnnotation(
  id: string,
  change: Checked<typeof AnnotationChange>,
  asker: Asker,
): Promise<Annotation> {
  const { annotations } = getState();
  const shared = await sharedSession(null, asker);
  return shared ? changeForGuest(annotations, shared, id, change) : annotations.change(id, change);
}

/** Removes one: a guest what they wrote. Throws what `Annotations.remove` and `removeForGuest` throw. */
export async function removeAnnotation(
  id: string,
  removal: Checked<typeof AnnotationRemoval>,
  asker: Asker,
): Promise<{ removed: string }> {
  const { annotations } = getState();
  const shared = await sharedSession(null, asker);
  if (shared) await removeForGuest(annotations, shared, id);
  else await annotations.remove(id, removal);
  return { removed: id };
}

/** The one session that there is for a guest; any other is none. `null` for the owner. */
async function sharedSession(
  asked: SessionId | null,
  { request, library: { access, catalog, sessions }, caller }: Asker,
): Promise<SharedSession | null> {
  if (caller.kind === "owner") return null;
  const { sessionId, shareId, redact } = caller.guest;
  const id = asked ?? catalog.summaries()[0]?.id ?? sessionId;
  await catalog.settle(id);
  const copy = await sessions.latest(id);
  const original = await getState().sessions.latest(sessionId);
  const redacted = access.kind === "share" && access.redacted;
  return { sessionId, original, copy, writer: writerOf(request, shareId), redacted, redact };
}

/** A guest is known by a secret of their browser's, for the one link that they have: another link's guest is another. */
function writerOf({ headers }: Request, shareId: string): string | null {
  const secret = headers.get(WRITER_HEADER) ?? "";
  if (!/^[0-9a-f]{32,64}$/.test(secret)) return null;
  return createHash("sha256").update(`${shareId}\n${secret}`).digest("base64url");
}
