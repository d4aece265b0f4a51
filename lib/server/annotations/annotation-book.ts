import { z } from "zod";
import {
  ANNOTATION_KINDS,
  type Annotation,
  type AnnotationTarget,
  type ProjectMarks,
  type SessionMarks,
} from "@/lib/wire/annotations";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import { FileLinesShape } from "@/lib/wire/requests/annotations";

/** The last moment of a `Date`, in epoch milliseconds; the first is as far away. */
const MAX_MOMENT_MS = 8.64e15;

const TargetShape = z.object({
  sessionId: z
    .string()
    .transform((id) => id as SessionId)
    .nullable(),
  projectId: z
    .string()
    .transform((id) => id as ProjectId)
    .nullable(),
  recordId: z
    .string()
    .transform((id) => id as RecordId)
    .nullable(),
  uuid: z.string().nullable(),
  block: z.number().nullable(),
  range: z.object({ from: z.number(), to: z.number() }).nullable(),
  quote: z
    .object({ exact: z.string(), prefix: z.string(), suffix: z.string(), shown: z.string().exactOptional() })
    .nullable(),
  lines: FileLinesShape.nullable().default(null),
  hash: z.string().nullable(),
});

/** What a date can be made of: one line beyond it must not keep all others from being exported. */
const MomentShape = z.number().min(-MAX_MOMENT_MS).max(MAX_MOMENT_MS);

/** What a guest read who wrote this: the session without its secrets, or all of it. */
const GuestShape = z.enum(["redacted", "whole"]).optional();

/** A change of one annotation. `event` is its own id, by which its writer finds out its result. */
export const AnnotationEvent = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("add"),
    event: z.string(),
    id: z.string(),
    kind: z.enum(ANNOTATION_KINDS),
    target: TargetShape,
    body: z.string(),
    author: z.string().nullable(),
    writer: z.string().optional(),
    guest: GuestShape,
    replyTo: z.string().nullable(),
    createdAtMs: MomentShape,
    editedAtMs: MomentShape.nullable().default(null),
    resolvedAtMs: MomentShape.nullable().default(null),
    sentAtMs: MomentShape.nullable().default(null),
  }),
  z.object({
    op: z.literal("change"),
    event: z.string(),
    id: z.string(),
    atMs: MomentShape,
    body: z.string().optional(),
    /** The revision that the new body is to replace. */
    base: z.number().optional(),
    resolved: z.boolean().optional(),
    sent: z.boolean().optional(),
    guest: GuestShape,
  }),
  z.object({
    op: z.literal("remove"),
    event: z.string(),
    id: z.string(),
    atMs: MomentShape,
    /** The revision that its writer has seen. */
    base: z.number().optional(),
    /** The guest who removes it: not if others have answered to it. */
    writer: z.string().optional(),
  }),
]);

export type AnnotationEvent = z.output<typeof AnnotationEvent>;

/**
 * An annotation as its events make it, without its current position. `writer`: for a guest's, the hash of the secret
 * that allows changes. `guest`: what a guest read whose words these are. Neither is ever sent to anybody.
 */
export type KeptAnnotation = Omit<Annotation, "state" | "own"> & {
  writer?: string | undefined;
  guest?: z.output<typeof GuestShape>;
};

/**
 * The result of an event. `known`: it changes nothing. `conflict`: it would have replaced what its writer had not seen.
 * `gone`: its annotation was removed. `unknown`: its annotation never existed.
 */
export type Outcome =
  | { kind: "applied" | "known" | "conflict"; annotation: KeptAnnotation }
  | { kind: "gone" | "unknown"; annotation: null };

const GONE: Outcome = { kind: "gone", annotation: null };
const UNKNOWN: Outcome = { kind: "unknown", annotation: null };

/**
 * The state that results from a log of events. The same events in the same order give the same state everywhere, so all
 * readers of the log agree which of two changes came first, without asking each other.
 */
export class AnnotationBook {
  readonly #all = new Map<string, KeptAnnotation>();
  readonly #removed = new Set<string>();
  /** There is only one star, name and the like: a writer who adds another one finds it under their own id, too. */
  readonly #others = new Map<string, string>();
  readonly #singles = new Map<string, string>();
  /**
   * The ids of the annotations on a session or a project, and of the answers to one, by `groupsOf`: in the order of
   * `#all`.
   */
  readonly #groups = new Map<string, Set<string>>();
  readonly #ofGuests = new Map<SessionId, number>();

  /** Also by the id with which a second star, name or the like was added, of which there is only one. */
  get(id: string): KeptAnnotation | null {
    return this.#all.get(this.#others.get(id) ?? id) ?? null;
  }

  /** In the order in which they were added, as the lists below. */
  all(): KeptAnnotation[] {
    return [...this.#all.values()];
  }

  /** Those on a session and on its records. */
  of(session: SessionId): KeptAnnotation[] {
    return this.#group(`session ${session}`);
  }

  /** How many events guests have written on a session, whatever is left of them. */
  eventsOfGuests(session: SessionId): number {
    return this.#ofGuests.get(session) ?? 0;
  }

  /** Those on a project itself, not on its sessions. */
  ofProject(project: ProjectId): KeptAnnotation[] {
    return this.#group(`project ${project}`);
  }

  /** @param sequence the event's number in the log */
  apply(event: AnnotationEvent, sequence: number): Outcome {
    if (event.op !== "remove" && event.guest) this.#countOfGuest(event);
    if (event.op === "add") return this.#add(event, sequence);
    const id = this.#others.get(event.id) ?? event.id;
    const annotation = this.#all.get(id);
    if (!annotation) return this.#removed.has(id) ? GONE : UNKNOWN;
    if (event.op === "change") return this.#change(annotation, event, sequence);
    if (event.base !== undefined && event.base !== annotation.revision)
      return { kind: "conflict", annotation };
    const replies = this.#group(`answers ${id}`);
    if (event.writer !== undefined && replies.some(({ writer }) => writer !== event.writer))
      return { kind: "conflict", annotation };
    for (const one of [annotation, ...replies]) this.#remove(one);
    return { kind: "applied", annotation };
  }

  #countOfGuest(event: Extract<AnnotationEvent, { op: "add" | "change" }>): void {
    const session = event.op === "add" ? event.target.sessionId : this.get(event.id)?.target.sessionId;
    if (session) this.#ofGuests.set(session, this.eventsOfGuests(session) + 1);
  }

  #add(event: Extract<AnnotationEvent, { op: "add" }>, sequence: number): Outcome {
    const { op: _, event: __, ...added } = event;
    const same = this.get(added.id);
    if (same) return { kind: "known", annotation: same };
    if (this.#removed.has(this.#others.get(added.id) ?? added.id)) return GONE;
    if (added.replyTo !== null && this.#removed.has(added.replyTo)) return GONE;
    const key = singleKey(added);
    const single = key === null ? undefined : this.get(this.#singles.get(key) ?? "");
    if (single) return this.#joins(single, event, sequence);
    // An answer to an answer belongs to the thread of that one.
    const begins = added.replyTo === null ? null : this.#all.get(added.replyTo);
    const annotation = { ...added, replyTo: begins?.replyTo ?? added.replyTo, revision: sequence };
    this.#all.set(annotation.id, annotation);
    for (const group of groupsOf(annotation))
      this.#groups.set(group, (this.#groups.get(group) ?? new Set()).add(annotation.id));
    if (key !== null) this.#singles.set(key, annotation.id);
    return { kind: "applied", annotation };
  }

  /** If it exists already, it is added again: a name and a bookmark then get the later text. */
  #joins(
    single: KeptAnnotation,
    { id, body, createdAtMs }: Extract<AnnotationEvent, { op: "add" }>,
    sequence: number,
  ): Outcome {
    if (body === single.body || BY_BODY.has(single.kind)) {
      this.#others.set(id, single.id);
      return { kind: "known", annotation: single };
    }
    // A note may be long: it is not replaced by a writer who has not seen it.
    if (single.kind === "note") return { kind: "conflict", annotation: single };
    this.#others.set(id, single.id);
    return this.#put({ ...single, body, editedAtMs: createdAtMs, revision: sequence });
  }

  #change(
    annotation: KeptAnnotation,
    { body, base, resolved, sent, guest, atMs }: Extract<AnnotationEvent, { op: "change" }>,
    sequence: number,
  ): Outcome {
    const edits = body !== undefined && body !== annotation.body;
    if (edits && base !== undefined && base !== annotation.revision) return { kind: "conflict", annotation };
    const changed = { ...annotation };
    // From then on they are the words of whoever changed them.
    if (edits) Object.assign(changed, { body, editedAtMs: atMs, revision: sequence, guest });
    if (resolved === false) changed.resolvedAtMs = null;
    else if (resolved) changed.resolvedAtMs ??= atMs;
    if (sent) changed.sentAtMs = atMs;
    return this.#put(changed);
  }

  #put(annotation: KeptAnnotation): Outcome {
    this.#all.set(annotation.id, annotation);
    return { kind: "applied", annotation };
  }

  #group(name: string): KeptAnnotation[] {
    return [...(this.#groups.get(name) ?? [])].flatMap((id) => this.#all.get(id) ?? []);
  }

  #remove({ id, ...annotation }: KeptAnnotation): void {
    this.#all.delete(id);
    this.#removed.add(id);
    for (const group of groupsOf(annotation)) {
      const ids = this.#groups.get(group);
      ids?.delete(id);
      if (ids?.size === 0) this.#groups.delete(group);
    }
    const key = singleKey(annotation);
    if (key !== null) this.#singles.delete(key);
  }
}

/** The groups to which an annotation belongs, which never change. */
function groupsOf({ target, replyTo }: Pick<KeptAnnotation, "target" | "replyTo">): string[] {
  const { sessionId, projectId } = target;
  return [
    ...(sessionId === null ? [] : [`session ${sessionId}`]),
    ...(projectId === null ? [] : [`project ${projectId}`]),
    ...(replyTo === null ? [] : [`answers ${replyTo}`]),
  ];
}

/** Kinds of which a place has one for each body. */
const BY_BODY: ReadonlySet<KeptAnnotation["kind"]> = new Set(["tag", "search"]);

/** A key that is equal for annotations of which there is only one; null for comments. */
function singleKey({ kind, target, body }: Pick<KeptAnnotation, "kind" | "target" | "body">): string | null {
  if (kind === "comment") return null;
  const own = BY_BODY.has(kind) ? (kind === "tag" ? body.toLowerCase() : body) : "";
  return JSON.stringify([kind, placeKey(target), own]);
}

function placeKey({ sessionId, projectId, recordId, uuid, block }: AnnotationTarget) {
  return [sessionId, projectId, uuid ?? recordId, block];
}

/** The marks of one session for lists; null for none. */
export function sessionMarksOf(annotations: readonly KeptAnnotation[]): SessionMarks | null {
  if (annotations.length === 0) return null;
  const bodyOf = (kind: KeptAnnotation["kind"]) => annotations.find((one) => one.kind === kind)?.body ?? null;
  const threads = annotations.filter(({ kind, replyTo }) => kind === "comment" && replyTo === null);
  const tags = annotations.filter(({ kind }) => kind === "tag").map(({ body }) => body);
  return {
    starred: bodyOf("star") !== null,
    hidden: bodyOf("hidden") !== null,
    name: bodyOf("name"),
    tags: tags.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    note: bodyOf("note"),
    bookmarks: annotations.filter(({ kind }) => kind === "bookmark").length,
    openComments: threads.filter(({ resolvedAtMs }) => resolvedAtMs === null).length,
    comments: threads.length,
  };
}

/** The marks of one project; null for none. */
export function projectMarksOf(annotations: readonly KeptAnnotation[]): ProjectMarks | null {
  if (annotations.length === 0) return null;
  const has = (kind: KeptAnnotation["kind"]) => annotations.some((one) => one.kind === kind);
  const note = annotations.find(({ kind }) => kind === "note")?.body ?? null;
  return { starred: has("star"), hidden: has("hidden"), note };
}
