import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import type { Annotation, AnnotationTarget } from "@/lib/wire/annotations";
import type { RecordId } from "@/lib/wire/ids";
import type { AnnotationBody } from "@/lib/wire/requests/annotations";
import type { Checked } from "@/lib/wire/requests/values";
import { anchorIn, asShown, drawnTextOf, findSelected, hashOf, quoteOf, rawTextOf } from "./anchors";
import type { KeptAnnotation } from "./annotation-book";

export const NOWHERE: AnnotationTarget = {
  sessionId: null,
  projectId: null,
  recordId: null,
  uuid: null,
  block: null,
  range: null,
  quote: null,
  lines: null,
  hash: null,
};

/** UTF-16 units: a quote must fit into a request, markup included. */
const MAX_RANGE = 8_000;

type Place = Pick<Checked<typeof AnnotationBody>["target"], "block" | "selected" | "lines"> & {
  recordId: RecordId;
};

/** A position in a session with its current text. Throws `record-not-found`. */
export async function targetIn(
  session: OpenSession,
  { recordId, block, selected, lines }: Place,
): Promise<AnnotationTarget> {
  const record = session.find(recordId);
  const logged = (await readRecords(session, [record]))(record);
  const text = logged ? rawTextOf(logged, block) : "";
  const found = selected && findSelected(text, selected);
  const range = found && found.to - found.from <= MAX_RANGE ? found : null;
  // The page may show more than the text: then the selection is quoted as it was shown.
  const drawn = logged && drawnTextOf(logged, block);
  const quote =
    selected && !range ? { exact: selected.text, prefix: "", suffix: "" } : quoteOf(text, range, drawn);
  const uuid = logged && logged.kind !== "unreadable" ? logged.uuid : null;
  const sessionId = session.files.id;
  return { ...NOWHERE, sessionId, recordId, uuid, block, range, quote, lines, hash: hashOf(text) };
}

/** Whether it stands at a line of the log: a star, a name or tags are of the session as a whole. */
export function pointsAtRecord({ target }: KeptAnnotation): boolean {
  return target.recordId !== null;
}

/** As an answer has it, by default at its stored position. */
export function asKept(
  kept: KeptAnnotation,
  state: Annotation["state"] = "anchored",
  target = kept.target,
): Annotation {
  const { writer: _, guest: __, ...annotation } = kept;
  return { ...annotation, target, state };
}

/**
 * Each annotation of a session at its current position. One whose text is not found is detached, and stays.
 * @param session null if nothing of it is left
 */
export async function anchored(
  session: OpenSession | null,
  kept: readonly KeptAnnotation[],
): Promise<Annotation[]> {
  if (!session) return kept.map((one) => asKept(one, pointsAtRecord(one) ? "detached" : "anchored"));
  const byId = kept.map(({ target }) => recordAt(session, target.recordId));
  const atId = await readRecords(session, byId);
  // The log was rewritten, or copied: its lines are identified by their uuids.
  const byUuid = kept.map(({ target: { uuid } }, index) => {
    const there = atId(byId[index] ?? NONE);
    const isThere = there !== null && there.kind !== "unreadable" && there.uuid === uuid;
    return isThere || uuid === null ? NONE : session.findUuid(uuid);
  });
  const atUuid = await readRecords(session, byUuid);
  return kept.map((one, index): Annotation => {
    const { target } = one;
    if (!pointsAtRecord(one)) return asKept(one);
    const elsewhere = byUuid[index] ?? NONE;
    const record = elsewhere === NONE ? (byId[index] ?? NONE) : elsewhere;
    const logged = elsewhere === NONE ? atId(record) : atUuid(record);
    const isSame = logged !== null && (logged.kind === "unreadable" ? null : logged.uuid) === target.uuid;
    if (!isSame) return asKept(one, "detached");
    const text = rawTextOf(logged, target.block);
    const { state, range } = anchorIn(text, target);
    // A line without a uuid is identified by its text alone.
    if (state === "detached" || (state === "moved" && target.uuid === null)) return asKept(one, "detached");
    const recordId = session.recordId(record);
    // Those of earlier versions, and imported ones, do not tell how their quote reads. One whose words are not in the
    // text quotes what the page showed.
    const { quote } = target;
    const isOfText = range !== null || text.startsWith(quote?.exact ?? "");
    const drawn = quote?.shown === undefined && isOfText ? drawnTextOf(logged, target.block) : null;
    const read = quote && asShown(quote, text, range, drawn);
    return asKept(one, elsewhere === NONE ? state : "moved", { ...target, recordId, range, quote: read });
  });
}

const NONE = -1;

function recordAt(session: OpenSession, id: RecordId | null): number {
  if (id === null) return NONE;
  try {
    return session.find(id);
  } catch (error) {
    if (isViewerError(error)) return NONE;
    throw error;
  }
}
