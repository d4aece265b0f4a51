import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import type { Relation } from "@/lib/wire/session";
import { EventLog, EventStream, encodeEvent } from "./event-stream";
import type { LiveStates } from "./live-states";
import { SessionFeed } from "./session-feed";
import type { Folding } from "./view-feed";

const MOST_STREAMS = 200;
/** Of two sessions in this relation one has lines of the other. */
const CARRIES: ReadonlySet<Relation> = new Set<Relation>(["continues", "continued-in"]);

export type StreamRequest = {
  session: SessionId | null;
  since: string | null;
  view: LiveView;
  folding: Folding;
  /** Agents that are followed beside it, on the same stream. */
  beside: { view: LiveView; folding: Folding }[];
  signal: AbortSignal;
};

/** The streams that are open, and what is told on them: of the library, or of the threads of a session. */
export class LiveReaders {
  readonly #catalog: Catalog;
  readonly #sessions: SessionQueries;
  readonly #states: LiveStates;
  readonly #log = new EventLog();
  readonly #feeds = new Map<SessionId, SessionFeed>();
  readonly #streams = new Set<EventStream>();

  constructor(catalog: Catalog, sessions: SessionQueries, states: LiveStates) {
    this.#catalog = catalog;
    this.#sessions = sessions;
    this.#states = states;
  }

  /** True while a stream is open. */
  get isAny(): boolean {
    return this.#streams.size > 0;
  }

  /** Sessions that somebody reads. */
  get followed(): SessionId[] {
    return [...this.#feeds.keys()];
  }

  follows(id: SessionId): boolean {
    return this.#feeds.has(id);
  }

  /** True for a session that somebody reads, and that was not there when it was read last. */
  isGone(id: SessionId): boolean {
    return this.#feeds.get(id)?.isGone ?? false;
  }

  /** A stream for one reader, with its hello on the way. Throws `too-many-streams` and `session-not-found`. */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    if (this.#streams.size >= MOST_STREAMS)
      throw new ViewerError("too-many-streams", `More than ${MOST_STREAMS} pages are live`, {
        status: 503,
        hint: "Close some of them; the others ask again by themselves.",
      });
    if (request.session) this.#catalog.sessionFiles(request.session);
    const stream = new EventStream(request.signal, () => this.#left(stream, request.session));
    this.#streams.add(stream);
    this.#log.join(stream, request.session);
    void (
      request.session
        ? this.#openSession(stream, request, request.session)
        : this.#openLibrary(stream, request)
    ).catch((error: unknown) => {
      if (!isViewerError(error)) console.error(error);
      stream.close();
    });
    return stream.body;
  }

  tell(event: LiveEvent, id: SessionId | null): void {
    this.#log.tell(event, id);
  }

  /** Reads on in a session that somebody reads, and in those that show what is in it. */
  async update(id: SessionId): Promise<void> {
    await this.#feeds.get(id)?.update();
    await this.updateNeighbours(id);
  }

  /** Sessions that go on with lines of this one, or whose lines this one has, say what it is. */
  async updateNeighbours(id: SessionId): Promise<void> {
    if (this.#feeds.size === Number(this.#feeds.has(id))) return;
    for (const other of this.#neighbours(id)) await this.#feeds.get(other)?.update();
  }

  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #neighbours(id: SessionId): SessionId[] {
    try {
      const related = this.#catalog.related(id);
      return related.flatMap(({ id: other, relation }) => (CARRIES.has(relation) ? [other] : []));
    } catch (error) {
      if (isViewerError(error)) return [];
      throw error;
    }
  }

  async #openLibrary(stream: EventStream, { since }: StreamRequest): Promise<void> {
    const missed = since === null ? [] : this.#log.since(since);
    const states = this.#states.active();
    stream.send(
      encodeEvent(
        {
          kind: "hello",
          resumed: missed !== null && since !== null,
          server: this.#log.epoch,
          states,
        },
        this.#log.id,
      ),
    );
    if (missed === null) stream.send(encodeEvent({ kind: "reset", reason: "unknown-epoch" }, this.#log.id));
    else for (const bytes of missed) stream.send(bytes);
  }

  async #openSession(
    stream: EventStream,
    { since, view, folding, beside }: StreamRequest,
    id: SessionId,
  ): Promise<void> {
    const state = this.#states.get(id);
    const states = state ? [state] : [];
    stream.send(
      encodeEvent({ kind: "hello", resumed: since !== null, server: this.#log.epoch, states }, null),
    );
    const feed =
      this.#feeds.get(id) ?? new SessionFeed(id, this.#sessions.latest, () => this.#states.runningCalls(id));
    this.#feeds.set(id, feed);
    await feed.join(stream, view, folding);
    for (const other of beside) await feed.join(stream, other.view, other.folding);
    if (!stream.isOpen) return feed.leave(stream);
    const place = await feed.resume(since ?? "");
    if (since !== null && place.how === null)
      stream.send(encodeEvent({ kind: "reset", reason: "unknown-epoch" }, place.id));
    // Also tells the first id, so that a reader that has seen nothing yet can resume.
    else
      stream.send(
        encodeEvent(
          { kind: "session-changed", sessionId: id, revision: place.revision, summary: null },
          place.id,
        ),
      );
    if (!state) await this.#states.look(id);
  }

  #left(stream: EventStream, session: SessionId | null): void {
    this.#streams.delete(stream);
    this.#log.leave(stream);
    const feed = session && this.#feeds.get(session);
    if (!session || !feed) return;
    feed.leave(stream);
    if (!feed.isWatched) this.#feeds.delete(session);
  }
}
