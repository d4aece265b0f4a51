import { formatCount } from "@/lib/format/format";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import type { Annotation, AnnotationsResponse, AnnotationTarget, TextRange } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { AnnotationBody, AnnotationChange } from "@/lib/wire/requests/annotations";
import type { Checked } from "@/lib/wire/requests/values";
import { NOWHERE } from "./anchored";
import { drawnTextOf, findSelected, hashOf, quoteOf, rawTextOf } from "./anchors";
import { type Annotations, changedMeanwhile } from "./annotations";

/** Comments of one session that guests may add to. */
export const MAX_COMMENTS = 1_000;
/** What guests may add and change on one session: all of it stays in the log, also of what they have removed. */
export const MAX_EVENTS = 5_000;

/**
 * A guest's session: the owner's session, and the copy that the guest reads. An export is such a copy too: of the very same
 * lines (`sameLines`), with what it replaces in them.
 */
export type SharedSession = {
  sessionId: SessionId;
  original: OpenSession;
  copy: OpenSession;
  /**
   * Identifies the writer of the guest's comments: a hash of a secret that their browser keeps for this link; `null`
   * without.
   */
  writer: string | null;
  /** The copy's records have the ids of the original's: otherwise a line is the same one by its uuid alone. */
  sameLines?: boolean;
  /** Whether their copy is without the session's secrets. */
  redacted: boolean;
  /** A text as it may be shown to the guest. */
  redact: (text: string) => Promise<string>;
};

/**
 * The comments on a session as a guest may see them, and no other annotations: on the records of their copy, quoting
 * its text, which is redacted. Numbers that would reveal other annotations are left out.
 */
export async function commentsForGuest(
  annotations: Annotations,
  session: SharedSession,
): Promise<AnnotationsResponse> {
  const { annotations: all } = await annotations.list(session.sessionId, ["comment"]);
  const texts = { copy: textsOf(session.copy), original: textsOf(session.original) };
  const shown = await Promise.all(all.map((one) => forGuest(annotations, one, session, texts)));
  return { annotations: shown, sequence: shown.length };
}

/** The text of a block in its line, with its hash and how the page draws it; `null` where there is no such line. */
type BlockText = { text: string; hash: string; drawn: ReturnType<typeof drawnTextOf> } | null;

type TextsOf = (record: number, block: number | null) => Promise<BlockText>;

/** Reads texts of a session, each once: a thousand comments may stand at one long line. */
function textsOf(session: OpenSession): TextsOf {
  const known = new Map<string, Promise<BlockText>>();
  const read = async (record: number, block: number | null): Promise<BlockText> => {
    const logged = (await readRecords(session, [record]))(record);
    if (!logged) return null;
    const text = rawTextOf(logged, block);
    return { text, hash: hashOf(text), drawn: drawnTextOf(logged, block) };
  };
  return (record, block) => {
    const key = `${record} ${block}`;
    const found = known.get(key) ?? read(record, block);
    known.set(key, found);
    return found;
  };
}

async function forGuest(
  annotations: Annotations,
  comment: Annotation,
  session: SharedSession,
  texts = { copy: textsOf(session.copy), original: textsOf(session.original) },
): Promise<Annotation> {
  const { target, state } = comment;
  const sessionId = session.copy.files.id;
  // Whoever reads a copy without secrets writes none but by guessing, and is not told which guess was right.
  const isGuess = annotations.guestOf(comment.id) === "redacted";
  const redact = async (text: string) => (isGuess ? text : session.redact(text));
  const told = {
    ...comment,
    body: await redact(comment.body),
    author: comment.author && (await redact(comment.author)),
    revision: toldRevision(comment),
    sentAtMs: null,
    ...(isOwn(annotations, comment.id, session) ? { own: true as const } : {}),
  };
  if (target.recordId === null) return { ...told, target: { ...NOWHERE, sessionId } };
  const { block, uuid, range, lines, hash } = target;
  const record = state === "detached" ? -1 : recordIn(session.copy, target, session);
  const read = record < 0 ? null : await texts.copy(record, block);
  // Its quote may contain what is redacted, or a part of it: without the line nothing is quoted.
  if (!read) return { ...told, target: { ...NOWHERE, sessionId, block }, state: "detached" };
  const { text, drawn } = read;
  const at = read.hash === hash ? range : await rangeInCopy(session, target, text, texts.original);
  const recordId = session.copy.recordId(record);
  const here = {
    ...{ range: at, quote: quoteOf(text, at, drawn), hash: read.hash },
    lines: lines && { ...lines, path: await redact(lines.path) },
  };
  return { ...told, target: { ...NOWHERE, sessionId, recordId, uuid, block, ...here } };
}

/**
 * Where the words of a comment are in the text that the guest reads: behind what is before them, redacted. `null` where
 * some of them are redacted. No likeness decides: of two places where the words are, which one is more like the
 * owner's would tell what is redacted before them.
 */
async function rangeInCopy(
  { original, redact, sameLines }: SharedSession,
  target: AnnotationTarget,
  text: string,
  originals: TextsOf,
): Promise<TextRange | null> {
  const { block, range } = target;
  const record = range === null ? -1 : recordIn(original, target, { sameLines });
  if (range === null || record < 0) return null;
  const read = await originals(record, block);
  if (!read) return null;
  const owners = read.text;
  const before = await redact(owners.slice(0, range.from));
  const words = owners.slice(range.from, range.to);
  if (!text.startsWith(before) || !text.startsWith(words, before.length)) return null;
  return { from: before.length, to: before.length + words.length };
}

/** The record that an annotation points at, in the original or in the copy; negative where that cannot be told. */
function recordIn(
  session: OpenSession,
  { uuid, recordId }: AnnotationTarget,
  { sameLines = false }: Pick<SharedSession, "sameLines">,
): number {
  if (uuid !== null) return session.findUuid(uuid);
  return sameLines && recordId !== null ? session.find(recordId) : -1;
}

/** A number that changes with every change, and does not reveal how much else there is. */
function toldRevision({ editedAtMs, createdAtMs }: Annotation): number {
  return editedAtMs ?? createdAtMs;
}

function isOwn(annotations: Annotations, id: string, { writer }: SharedSession): boolean {
  return writer !== null && annotations.writerOf(id) === writer;
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
  const demand = () => demandRoomForComment(annotations, session);
  demand();
  if (replyTo !== null && !there.some((one) => one.id === replyTo)) throw notFound();
  const place = target.recordId === null ? {} : await placeInOriginal(session, target.recordId, target);
  const added = await annotations.add(
    {
      ...{ id, kind, body, replyTo, author: null },
      target: { ...target, sessionId: session.sessionId, projectId: null, ...place },
    },
    author ?? "",
    { ...(session.writer === null ? {} : { writer: session.writer }), guest: readBy(session) },
    demand,
  );
  // The id may be that of an annotation which is not for them.
  if (added.kind !== "comment" || added.target.sessionId !== session.sessionId) throw notFound();
  return forGuest(annotations, added, session);
}

const readBy = ({ redacted }: SharedSession) => (redacted ? "redacted" : "whole");

/** Throws ViewerError `too-many-comments` where a session has all comments that guests may add to, and as `demandRoom`. */
function demandRoomForComment(annotations: Annotations, session: SharedSession): void {
  if (annotations.commentsOn(session.sessionId) >= MAX_COMMENTS)
    throw new ViewerError(
      "too-many-comments",
      `There are ${formatCount(MAX_COMMENTS)} comments on this session already`,
      {
        status: 409,
        hint: "Whoever shared it can delete some.",
      },
    );
  demandRoom(annotations, session);
}

/** Throws ViewerError `too-many-comments` where guests have written so much that the log takes no more of it. */
function demandRoom(annotations: Annotations, { sessionId }: SharedSession): void {
  if (annotations.eventsOfGuests(sessionId) < MAX_EVENTS) return;
  throw new ViewerError("too-many-comments", "Too much was written on this session by its links", {
    status: 409,
    hint: "Only whoever shared it can comment on it from now on.",
  });
}

/**
 * Changes the text of a comment that the guest wrote. Throws ViewerErrors: `annotation-not-found`, `not-your-comment`,
 * `annotation-changed` if the owner, or another tab, has changed it meanwhile, and `bad-parameter` for any other
 * change.
 */
export async function changeForGuest(
  annotations: Annotations,
  session: SharedSession,
  id: string,
  { body, revision, resolved, sent }: Checked<typeof AnnotationChange>,
): Promise<Annotation> {
  if (body === undefined || resolved !== undefined || sent !== undefined)
    throw new ViewerError("bad-parameter", "A guest changes what their comment says, and nothing else", {
      status: 400,
      hint: "Send `body`, with the `revision` that it replaces.",
    });
  const { comment } = await ownComment(annotations, session, id);
  if (revision !== undefined && revision !== toldRevision(comment)) throw changedMeanwhile();
  const demand = () => demandRoom(annotations, session);
  const changed = await annotations.change(id, { body, revision: comment.revision }, readBy(session), demand);
  return forGuest(annotations, changed, session);
}

/**
 * Removes a comment that the guest wrote. Throws ViewerErrors: `annotation-not-found`, `not-your-comment`, and
 * `comment-answered` if others have answered to it: their answers would be removed with it.
 */
export async function removeForGuest(
  annotations: Annotations,
  session: SharedSession,
  id: string,
): Promise<void> {
  const { comment, all } = await ownComment(annotations, session, id);
  const answers = all.filter(({ replyTo }) => replyTo === comment.id);
  if (!answers.every((one) => isOwn(annotations, one.id, session)))
    throw new ViewerError("comment-answered", "Others have replied to this comment, so it stays", {
      status: 409,
      hint: "Edit it, or ask whoever shared this session to delete it.",
    });
  await annotations.remove(id, { writer: session.writer ?? "" });
}

async function ownComment(annotations: Annotations, session: SharedSession, id: string) {
  const { annotations: all } = await annotations.list(session.sessionId, ["comment"]);
  const comment = all.find((one) => one.id === id);
  if (!comment) throw notFound();
  if (isOwn(annotations, id, session)) return { comment, all };
  throw new ViewerError(
    "not-your-comment",
    "Only its author, and whoever shared the session, can change a comment",
    {
      status: 403,
      hint: "It is known by what the browser kept in which it was written, for this link.",
    },
  );
}

/**
 * The owner's record that corresponds to a record of the copy, and what was selected in it, found in the copy's text:
 * what is sent could be a guess at what is redacted, and where that was found would say whether it is right.
 */
async function placeInOriginal(
  session: SharedSession,
  recordId: RecordId,
  { block, selected }: Pick<Checked<typeof AnnotationBody>["target"], "block" | "selected">,
) {
  const { original, copy } = session;
  const record = copy.find(recordId);
  const logged = (await readRecords(copy, [record]))(record);
  const uuid = logged && logged.kind !== "unreadable" ? logged.uuid : null;
  const there = uuid === null ? -1 : original.findUuid(uuid);
  const owners = there < 0 ? null : (await readRecords(original, [there]))(there);
  if (!logged || !owners)
    throw new ViewerError("record-not-found", "This line has no name by which its comments would find it", {
      hint: "Comment on the line above it or below.",
    });
  const place = { recordId: original.recordId(there), selected: selected && { ...selected, before: "" } };
  const text = rawTextOf(logged, block);
  const found = selected && findSelected(text, selected);
  if (!found) return place;
  const words = text.slice(found.from, found.to);
  const before = await sameInOriginal(session, rawTextOf(owners, block), { text, words, from: found.from });
  return { ...place, selected: { text: words, before: before ?? "" } };
}

/** Each costs a redaction of what is before it. */
const MAX_PLACES = 50;

/**
 * What is before some words in the owner's text, of those equal ones that the copy has at `from`. `null` where that
 * cannot be told.
 */
async function sameInOriginal(
  { redact }: SharedSession,
  owners: string,
  { text, words, from }: { text: string; words: string; from: number },
): Promise<string | null> {
  if (owners === text) return text.slice(0, from);
  // Redaction takes places of these words away, and adds some where they are those of what stands there instead.
  const before = placesOf(text.slice(0, from), words).length;
  const nearest = placesOf(owners, words)
    .map((place, n) => ({ place, distance: Math.abs(n - before) }))
    .sort((one, other) => one.distance - other.distance);
  for (const { place } of nearest.slice(0, MAX_PLACES)) {
    const owned = owners.slice(0, place);
    if ((await redact(owned)) === text.slice(0, from)) return owned;
  }
  return null;
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}

function notFound(): ViewerError {
  return new ViewerError("annotation-not-found", "There is no such comment", {
    hint: "GET annotations lists those that there are.",
  });
}
