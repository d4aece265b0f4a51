import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import type { Annotation, AnnotationsResponse } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { AnnotationBody, Checked } from "@/lib/wire/requests";
import { NOWHERE } from "./anchored";
import { findSelected, hashOf, quoteOf, textOf } from "./anchors";
import type { Annotations } from "./annotations";

/** Comments of one session that guests may add to. */
const MAX_COMMENTS = 1_000;

/** What a guest's session is: as its owner has it, and the copy that the guest reads. */
export type SharedSession = {
  sessionId: SessionId;
  original: OpenSession;
  copy: OpenSession;
  /** A text as it may be shown to the guest. */
  redact(text: string): Promise<string>;
};

/**
 * The comments on a session as a guest may see them, and nothing else that was put on it: on the records of their copy,
 * quoting what stands there, which is redacted. Numbers that would tell of other annotations are left out.
 */
export async function commentsForGuest(
  annotations: Annotations,
  session: SharedSession,
): Promise<AnnotationsResponse> {
  const { annotations: all } = await annotations.list(session.sessionId, ["comment"]);
  const shown = await Promise.all(all.map((one) => forGuest(one, session)));
  return { annotations: shown, sequence: shown.length };
}

async function forGuest(comment: Annotation, session: SharedSession): Promise<Annotation> {
  const { target, state } = comment;
  const sessionId = session.copy.files.id;
  const told = {
    ...comment,
    body: await session.redact(comment.body),
    revision: comment.editedAtMs ?? comment.createdAtMs,
    sentAtMs: null,
  };
  if (target.recordId === null) return { ...told, target: { ...NOWHERE, sessionId } };
  const { block, uuid, quote, range } = target;
  const record = uuid === null || state === "detached" ? -1 : session.copy.findUuid(uuid);
  const logged = record < 0 ? null : (await readRecords(session.copy, [record]))(record);
  // What its quote holds may be what is redacted, in part too: without the line nothing is quoted.
  if (!logged) return { ...told, target: { ...NOWHERE, sessionId, block }, state: "detached" };
  const text = textOf(logged, block);
  const at = range && quote ? findSelected(text, { text: quote.exact, before: quote.prefix }) : null;
  const recordId = session.copy.recordId(record);
  const here = { range: at, quote: quoteOf(text, at), hash: hashOf(text) };
  return { ...told, target: { ...NOWHERE, sessionId, recordId, uuid, block, ...here } };
}

/**
 * Adds a guest's comment, or an answer to one that they see, in the owner's session. Throws ViewerErrors: `bad-parameter`
 * for anything else than a comment, `record-not-found`, `annotation-not-found`, `too-many-comments`, and what `add` throws.
 */
export async function addForGuest(
  annotations: Annotations,
  session: SharedSession,
  { id, kind, target, body, replyTo, author }: Checked<typeof AnnotationBody>,
): Promise<Annotation> {
  if (kind !== "comment")
    throw new ViewerError("bad-parameter", "A guest can only comment", {
      status: 400,
      hint: "Send `kind` as comment.",
    });
  const there = (await annotations.list(session.sessionId, ["comment"])).annotations;
  if (there.length >= MAX_COMMENTS)
    throw new ViewerError("too-many-comments", `There are ${MAX_COMMENTS} comments on this session already`, {
      status: 409,
      hint: "Whoever shared it can delete some.",
    });
  if (replyTo !== null && !there.some((one) => one.id === replyTo)) throw notFound();
  const recordId = target.recordId === null ? null : await originalOf(session, target.recordId);
  const added = await annotations.add(
    {
      ...{ id, kind, body, replyTo, author: null },
      target: { ...target, sessionId: session.sessionId, projectId: null, recordId },
    },
    author ?? "",
  );
  // The id may be that of something which is not for them.
  if (added.kind !== "comment" || added.target.sessionId !== session.sessionId) throw notFound();
  return forGuest(added, session);
}

/** The owner's record that a record of the copy is of. */
async function originalOf({ original, copy }: SharedSession, recordId: RecordId): Promise<RecordId> {
  const record = copy.find(recordId);
  const logged = (await readRecords(copy, [record]))(record);
  const uuid = logged && logged.kind !== "unreadable" ? logged.uuid : null;
  const there = uuid === null ? -1 : original.findUuid(uuid);
  if (there >= 0) return original.recordId(there);
  throw new ViewerError("record-not-found", "This line has no name by which its comments would find it", {
    hint: "Comment on the line above it or below.",
  });
}

function notFound(): ViewerError {
  return new ViewerError("annotation-not-found", "There is no such comment", {
    hint: "GET annotations lists those that there are.",
  });
}
