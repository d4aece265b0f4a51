import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { formatCount } from "@/lib/format/format";
import { faultCode } from "@/lib/server/disk/file-fault";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import {
  type Annotation,
  type AnnotationKind,
  type AnnotationsResponse,
  type ImportedAnnotations,
  MAX_BODY,
  type ProjectMarks,
  type SessionMarks,
} from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import type { AnnotationBody, AnnotationChange, AnnotationRemoval } from "@/lib/wire/requests/annotations";
import type { Checked } from "@/lib/wire/requests/values";
import { anchored, asKept, NOWHERE, pointsAtRecord, targetIn } from "./anchored";
import {
  AnnotationBook,
  AnnotationEvent,
  type KeptAnnotation,
  type Outcome,
  projectMarksOf,
  sessionMarksOf,
} from "./annotation-book";
import { type UnreadLines, unreadable, warningsOf } from "./annotation-warnings";
import { type EventLine, EventLog } from "./event-log";
import { fromWebAnnotation } from "./web-annotation";
import { WrittenFolder } from "./written-folder";

const FILE_NAME = "annotations.jsonl";
/** For other kinds, another body is another annotation. */
const EDITABLE: ReadonlySet<AnnotationKind> = new Set(["name", "note", "bookmark", "comment"]);

type World = {
  /** The session as its files are now. Throws `session-not-found`. */
  latest(id: SessionId): Promise<OpenSession>;
  /**
   * Called with the marks of a session, and when annotations have changed; `null`: of none in particular. `comments`:
   * comments are among those.
   */
  changed(id: SessionId | null, marks: SessionMarks | null, comments: boolean): void;
  /** Called with the marks of a project, before `changed` of none in particular. */
  projectChanged(id: ProjectId, marks: ProjectMarks | null): void;
  /** Called with all that readers should know of the file, when that has changed. */
  warn(warnings: Warning[]): void;
};

type WithoutEvent<Event> = Event extends unknown ? Omit<Event, "event"> : never;

/**
 * The annotations of readers: stars, names, tags, notes, bookmarks, comments. They are stored as a log of events in a
 * folder that several servers may share, and their state is kept in memory; without a folder they are in memory alone.
 */
export class Annotations {
  readonly #world: World;
  readonly #path: string | null;
  readonly #log: EventLog | null;
  #book = new AnnotationBook();
  #sequence = 0;
  #unread: UnreadLines = { newer: 0, damaged: [] };
  #fault: ViewerError | null = null;
  #warned = "[]";
  /** One after the other: each event is read before the next is written. */
  #queue: Promise<unknown> = Promise.resolve();
  readonly #written: WrittenFolder | null;

  constructor(folder: string | null, world: World) {
    this.#world = world;
    this.#path = folder === null ? null : join(/*turbopackIgnore: true*/ folder, FILE_NAME);
    this.#log = this.#path === null ? null : new EventLog(this.#path);
    this.#written = folder === null ? null : new WrittenFolder(folder, () => this.#takeOver());
  }

  /** Reads the log, and follows what other servers write. Never rejects: requests report what cannot be read. */
  async start(): Promise<void> {
    await this.#inTurn(() => this.#readOn()).catch((error: unknown) => {
      if (isViewerError(error)) return; // of which it has warned
      console.error("The annotations could not be read:", error);
    });
  }

  /** Follows the log no longer. What is being written is still written. */
  stop(): void {
    this.#written?.stop();
  }

  /**
   * All annotations of a session, or of all, or of some kinds, each at its current position. Throws
   * `annotations-unreadable`.
   */
  async list(session: SessionId | null, kinds: readonly AnnotationKind[] = []): Promise<AnnotationsResponse> {
    const kept = await this.#inTurn(async () => {
      await this.#readOn();
      const all = session === null ? this.#book.all() : this.#book.of(session);
      return kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind));
    });
    const sequence = this.#sequence;
    // In the list of all, positions are not searched: that would open every session.
    if (session === null || !kept.some(pointsAtRecord))
      return { annotations: kept.map((one) => asKept(one)), sequence };
    const inLogs = async () => anchored(await this.#world.latest(session), kept);
    const annotations = await inLogs().catch((error: unknown) => {
      if (isViewerError(error)) return anchored(null, kept); // its logs are gone, perhaps since they were opened
      throw error;
    });
    return { annotations, sequence };
  }

  /**
   * Adds one, or returns the existing one. Throws ViewerErrors: `session-not-found`, `record-not-found`,
   * `annotation-changed` for a note if another was written meanwhile, `annotation-removed`, `annotations-unwritable`.
   * @param author the name that its writer uses; `null` for the owner
   * @param by of a guest's comment, by whom it may be changed, and what they read
   * @param demand throws what refuses it; called when all that was written before is known
   */
  async add(
    { id, kind, target, body, replyTo }: Checked<typeof AnnotationBody>,
    author: string | null = null,
    by: Pick<KeptAnnotation, "writer" | "guest"> = {},
    demand?: () => void,
  ): Promise<Annotation> {
    const { sessionId, projectId } = target;
    const at =
      sessionId === null || target.recordId === null
        ? { ...NOWHERE, sessionId, projectId }
        : await targetIn(await this.#world.latest(sessionId), { ...target, recordId: target.recordId });
    const times = { createdAtMs: Date.now(), editedAtMs: null, resolvedAtMs: null, sentAtMs: null };
    const event = { op: "add", id, kind, body, replyTo, target: at, author, ...by, ...times } as const;
    return asKept(toldOf(await this.#write(event, demand)));
  }

  /**
   * Throws `annotation-not-found`, `annotation-changed`, `annotation-removed`, `annotations-unwritable`, and
   * `bad-parameter` for a body that its kind does not have.
   * @param guest of a guest's change, what they read
   * @param demand as for `add`
   */
  async change(
    id: string,
    { revision, ...change }: Checked<typeof AnnotationChange>,
    guest?: KeptAnnotation["guest"],
    demand?: () => void,
  ): Promise<Annotation> {
    const kind = this.#book.get(id)?.kind;
    if (kind && change.body !== undefined && change.body.length > (EDITABLE.has(kind) ? MAX_BODY[kind] : 0))
      throw new ViewerError(
        "bad-parameter",
        EDITABLE.has(kind) ? `This ${kind} is too long` : `A ${kind} cannot be edited`,
        {
          status: 400,
          hint: EDITABLE.has(kind)
            ? `It takes at most ${formatCount(MAX_BODY[kind])} characters.`
            : "Remove it, and add another.",
        },
      );
    const base = revision === undefined ? {} : { base: revision };
    const event = { op: "change", id, atMs: Date.now(), ...change, ...base, guest } as const;
    return asKept(toldOf(await this.#write(event, demand)));
  }

  /**
   * Removes one, and with it its answers. Throws `annotation-not-found` for one that never existed, and
   * `annotation-changed` if its body is no longer that of `revision`, or others than `writer` have answered to it.
   */
  async remove(
    id: string,
    { revision, writer }: Checked<typeof AnnotationRemoval> & { writer?: string } = {},
  ): Promise<void> {
    const outcome = await this.#write({ op: "remove", id, atMs: Date.now(), base: revision, writer });
    if (outcome.kind === "unknown" || outcome.kind === "conflict") toldOf(outcome);
  }

  /** By whom a guest's comment may be changed; `null` where that is not known. */
  writerOf(id: string): string | null {
    return this.#book.get(id)?.writer ?? null;
  }

  /** What a guest read whose words an annotation's are; `null` for the owner's, and where that is not known. */
  guestOf(id: string): "redacted" | "whole" | null {
    return this.#book.get(id)?.guest ?? null;
  }

  /** How many events guests have written on a session: they stay in the log, whatever is removed. */
  eventsOfGuests(session: SessionId): number {
    return this.#book.eventsOfGuests(session);
  }

  /** How many comments there are on a session. */
  commentsOn(session: SessionId): number {
    return this.#book.of(session).filter(({ kind }) => kind === "comment").length;
  }

  /** Adds items of a collection of W3C Web Annotations that are not there yet, under their own ids. */
  async import(items: readonly unknown[]): Promise<ImportedAnnotations> {
    const answer: ImportedAnnotations = { added: 0, known: 0, refused: [] };
    for (const [index, item] of items.entries()) {
      const refuse = (reason: string) => answer.refused.push({ index, reason });
      const read = fromWebAnnotation(item);
      if ("reason" in read) {
        refuse(read.reason);
        continue;
      }
      const { kind } = await this.#write({ op: "add", ...read });
      if (kind === "applied") answer.added += 1;
      else if (kind === "known") answer.known += 1;
      else refuse(kind === "conflict" ? "There is another note already" : "It was removed here");
    }
    return answer;
  }

  async #write(event: WithoutEvent<AnnotationEvent>, demand?: () => void): Promise<Outcome> {
    const numbered = { ...event, event: randomUUID() } as AnnotationEvent;
    return this.#inTurn(async () => {
      const outcomes = await this.#appended(numbered, demand);
      // Not found only if somebody removed the file between the write and this read.
      return outcomes.get(numbered.event) ?? { kind: "unknown", annotation: null };
    });
  }

  async #appended(event: AnnotationEvent, demand?: () => void): Promise<Map<string, Outcome>> {
    const line = JSON.stringify(event);
    // Events that others wrote first come first, even if there is nothing to write then.
    await this.#readOn();
    demand?.();
    if (!this.#log) return this.#take([{ at: 0, text: line }]);
    try {
      await this.#log.append(line);
    } catch (error) {
      throw faultCode(error) === null ? error : unwritable(error, this.#path ?? "");
    }
    return this.#readOn();
  }

  /** Reads new events. Returns the result of each. */
  async #readOn(): Promise<Map<string, Outcome>> {
    // Before it reads: what is written from here on is told.
    this.#written?.follow();
    const outcomes = new Map<string, Outcome>();
    for (let more = this.#log !== null; more; ) {
      const read = await this.#linesOn();
      more = read.more;
      if (read.again) this.#forget();
      for (const [event, outcome] of this.#take(read.lines)) outcomes.set(event, outcome);
    }
    this.#warn();
    return outcomes;
  }

  async #linesOn(): ReturnType<EventLog["readOn"]> {
    const path = this.#path ?? "";
    try {
      const read = await this.#log?.readOn();
      this.#fault = null;
      return read ?? { lines: [], again: false, more: false };
    } catch (error) {
      if (faultCode(error) === null) throw error;
      this.#fault = unreadable(error, path);
      this.#warn();
      throw this.#fault;
    }
  }

  #forget(): void {
    const before = this.#book.all().map(({ target }) => target);
    for (const id of new Set(before.map(({ projectId }) => projectId)))
      if (id !== null) this.#world.projectChanged(id, null);
    for (const id of new Set(before.map(({ sessionId }) => sessionId))) this.#world.changed(id, null, true);
    this.#book = new AnnotationBook();
    this.#sequence = 0;
    this.#unread = { newer: 0, damaged: [] };
  }

  #warn(): void {
    const warnings = warningsOf(this.#path ?? "", this.#fault, this.#unread);
    const said = JSON.stringify(warnings);
    if (said === this.#warned) return;
    this.#warned = said;
    this.#world.warn(warnings);
  }

  #take(lines: readonly EventLine[]): Map<string, Outcome> {
    const outcomes = new Map<string, Outcome>();
    /** Whether comments are among the changes. */
    const touched = new Map<SessionId | null, boolean>();
    const projects = new Set<ProjectId>();
    for (const line of lines) {
      const json = line.text === null ? undefined : parseLine(line.text);
      if (json === undefined) {
        this.#unread.damaged.push(line.at);
        continue;
      }
      this.#sequence += 1;
      const { success, data } = AnnotationEvent.safeParse(json);
      if (!success) {
        this.#unread.newer += 1;
        continue;
      }
      const outcome = this.#book.apply(data, this.#sequence);
      outcomes.set(data.event, outcome);
      if (outcome.kind !== "applied") continue;
      const { target, kind } = outcome.annotation;
      touched.set(target.sessionId, touched.get(target.sessionId) === true || kind === "comment");
      if (target.projectId !== null) projects.add(target.projectId);
    }
    for (const id of projects) this.#world.projectChanged(id, projectMarksOf(this.#book.ofProject(id)));
    for (const [id, comments] of touched)
      this.#world.changed(id, id === null ? null : sessionMarksOf(this.#book.of(id)), comments);
    return outcomes;
  }

  /** Takes over what another server has written. */
  #takeOver(): void {
    this.#inTurn(() => this.#readOn()).catch((error: unknown) => {
      if (isViewerError(error)) return; // the file cannot be read, which the next request reports
      console.error("Taking over what another server wrote of annotations failed:", error);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.catch(() => undefined).then(work);
    this.#queue = turn;
    return turn;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // it was cut short, or is damaged
  }
}

function toldOf(outcome: Outcome): KeptAnnotation {
  switch (outcome.kind) {
    case "applied":
    case "known":
      return outcome.annotation;
    case "conflict":
      throw changedMeanwhile();
    case "gone":
      throw new ViewerError("annotation-removed", "It was removed meanwhile", {
        status: 409,
        hint: "Add it again, under another id.",
      });
    case "unknown":
      throw new ViewerError("annotation-not-found", "There is no such annotation", {
        hint: "GET annotations lists those that there are.",
      });
  }
}

/** The error for a writer who would have replaced a text that they have not seen. */
export function changedMeanwhile(): ViewerError {
  return new ViewerError("annotation-changed", "It was changed meanwhile in another window", {
    status: 409,
    hint: "Nothing was replaced. Ask for it again, and put both texts together.",
  });
}

function unwritable(cause: unknown, path: string): ViewerError {
  return new ViewerError("annotations-unwritable", "This could not be saved", {
    status: 409,
    hint: "Check the space on the disk, and who may write to this file and its folder.",
    path,
    cause,
  });
}
