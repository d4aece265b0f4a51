import type { Annotation } from "./annotations";
import { formatRowKey, MAIN_LOG_KEY, parseRecordId, type RecordId, type RecordPlace } from "./ids";
import type { Row } from "./rows";

/** A thread of comments: the first one, and its answers, the oldest first. */
export type CommentThread = { begins: Annotation; answers: readonly Annotation[] };

/** What a place in a session has: the bookmarks and the comments on a block. Two windows may have put a bookmark each. */
export type PlaceMarks = { bookmarks: readonly Annotation[]; threads: readonly CommentThread[] };

/** Comments as threads, each with its answers. An answer to a missing comment is a thread of its own. */
export function threadsOf(annotations: readonly Annotation[]): CommentThread[] {
  const comments = annotations.filter(({ kind }) => kind === "comment");
  const answers = new Map(comments.map(({ id }): [string, Annotation[]] => [id, []]));
  const begun = comments.filter((one) => {
    const others = one.replyTo === null ? undefined : answers.get(one.replyTo);
    others?.push(one);
    return others === undefined;
  });
  return begun.map((begins) => ({ begins, answers: answers.get(begins.id) ?? [] }));
}

/**
 * A session's comments and bookmarks by the key of the row that shows their block, in the order in which they were made.
 * Those whose lines are gone are at no row.
 */
export function groupByPlace(annotations: readonly Annotation[]): Map<string, PlaceMarks> {
  const places = new Map<string, { bookmarks: Annotation[]; threads: CommentThread[] }>();
  const placeAt = (one: Annotation) => {
    const key = placeKeyOf(one);
    if (key === null || one.state === "detached") return null;
    const place = places.get(key) ?? { bookmarks: [], threads: [] };
    places.set(key, place);
    return place;
  };
  for (const thread of threadsOf(annotations)) placeAt(thread.begins)?.threads.push(thread);
  for (const one of annotations) if (one.kind === "bookmark") placeAt(one)?.bookmarks.push(one);
  return places;
}

/** The key of the row that an annotation refers to. */
function placeKeyOf({ target }: Annotation): string | null {
  return target.recordId === null ? null : formatRowKey(target.recordId, target.block ?? 0);
}

/** What all blocks have that a row shows. */
export function marksOfRow(
  places: ReadonlyMap<string, PlaceMarks>,
  row: Pick<Row, "key" | "shows">,
): PlaceMarks[] {
  return [row.key, ...(row.shows ?? [])].flatMap((key) => places.get(key) ?? []);
}

/** Orders annotations by their position in the log: the main log first, then by the agent's. */
export function byPlace({ target: a }: Annotation, { target: b }: Annotation): number {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one.file !== other.file) return isBefore(one.file, other.file) ? -1 : 1;
  return one.offset - other.offset || (a.range?.from ?? -1) - (b.range?.from ?? -1);
}

function placeOf({ recordId }: Annotation["target"]): RecordPlace {
  return parseRecordId(recordId ?? ("" as RecordId));
}

function isBefore(file: string, other: string): boolean {
  return file === MAIN_LOG_KEY || (other !== MAIN_LOG_KEY && file < other);
}
