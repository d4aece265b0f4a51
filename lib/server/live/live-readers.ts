import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveState, LiveView } from "@/lib/wire/live";
import type { Relation } from "@/lib/wire/session";
import { EventBacklog, EventStream, encodeEvent } from "./event-stream";
import type { LiveStates } from "./live-states";
import { SessionFeed } from "./session-feed";
import type { Folding } from "./view-feed";

const MAX_STREAMS = 200;
/** Of two sessions in one of these relations one contains lines of the other. */
const SHARES_LINES: ReadonlySet<Relation> = new Set<Relation>(["continues", "continued-in"]);

/** What a reader of `/api/events` asks for. `session`: `null` for the library. `since`: the id of the last event it had. */
export type StreamRequest = {
  session: SessionId | null;
  /** Of how sessions stand and what they call alone. */
  news?: boolean | undefined;
  since: string | null;
  view: LiveView;
  folding: Folding;
  /** Agents that are followed as well, on the same stream. */
  beside: { view: LiveView; folding: Folding }[];
  signal: AbortSignal;
  /** Given the stream when its hello is on the way; what it returns is called when the stream has ended. */
  joined?: ((stream: EventStream) => () => void) | undefined;
};

/** The open streams and their events: about the library, or about the threads of a session. */
export class LiveReaders {
  readonly #catalog: Catalog;
  readonly #sessions: SessionQueries;
  readonly #states: LiveStates;
  readonly #log = new EventBacklog();
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

  /** Sessions with at least one reader. */
  get followed(): SessionId[] {
    return [...this.#feeds.keys()];
  }

  follows(id: SessionId): boolean {
    return this.#feeds.has(id);
  }

  /** True for a session with a reader that did not exist when it was last read. */
  isGone(id: SessionId): boolean {
    return this.#feeds.get(id)?.isGone ?? false;
  }

  /** A stream for one reader, starting with its hello. Throws `too-many-streams` and `session-not-found`. */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    if (this.#streams.size >= MAX_STREAMS)
      throw new ViewerError("too-many-streams", `More than ${MAX_STREAMS} pages are live`, {
        status: 503,
        hint: "Close some of them; the others ask again by themselves.",
      });
    if (request.session) this.#catalog.sessionFiles(request.session);
    let left: () => void = () => undefined;
    let joined: EventStream | null = null;
    const stream = new EventStream(request.signal, () => {
      if (joined) this.#left(joined, request.session);
      left();
    });
    // Its reader went before it was there.
    if (!stream.isOpen) return stream.body;
    joined = stream;
    this.#streams.add(stream);
    this.#log.join(stream, request.session, request.news);
    void (
      request.session
        ? this.#openSession(stream, request, request.session)
        : this.#openLibrary(stream, request)
    ).catch((error: unknown) => {
      if (!isViewerError(error)) console.error(error);
      stream.close();
    });
    if (stream.isOpen && request.joined) left = request.joined(stream);
    return stream.body;
  }

  /**
   * Tells all readers whom it concerns.
   * @param id the session that the event is about, null for none in particular
   */
  publish(event: LiveEvent, id: SessionId | null): void {
    this.#log.publish(event, id);
  }

  /** Updates a session that has readers, and those that show lines of it. */
  async update(id: SessionId): Promise<void> {
    await this.#feeds.get(id)?.update();
    await this.updateNeighbours(id);
  }

  /** Updates the followed sessions that inherit lines from this one or pass lines on to it: they show its title. */
  async updateNeighbours(id: SessionId): Promise<void> {
    if (this.#feeds.size === Number(this.#feeds.has(id))) return;
    for (const other of this.#neighbours(id)) await this.#feeds.get(other)?.update();
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #neighbours(id: SessionId): SessionId[] {
    try {
      const related = this.#catalog.related(id);
      return related.flatMap(({ id: other, relation }) => (SHARES_LINES.has(relation) ? [other] : []));
    } catch (error) {
      if (isViewerError(error)) return [];
      throw error;
    }
  }

  async #openLibrary(stream: EventStream, { since, news }: StreamRequest): Promise<void> {
    const missed = since === null ? [] : this.#log.since(since, news);
    const states = this.#states.active();
    stream.send(
      encodeEvent(
        {
          kind: "hello",
          resumed: missed !== null && since !== null,
          server: this.#log.epoch,
          ...this.#hello(states),
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
      encodeEvent(
        { kind: "hello", resumed: since !== null, server: this.#log.epoch, ...this.#hello(states) },
        null,
      ),
    );
    const feed =
      this.#feeds.get(id) ?? new SessionFeed(id, this.#sessions.latest, () => this.#states.runningCalls(id));
    this.#feeds.set(id, feed);
    for (const one of [{ view, folding }, ...beside]) {
      // One that has ended has been taken off the feed, and nobody would take it off again.
      if (stream.isOpen) await feed.join(stream, one.view, one.folding);
    }
    if (!stream.isOpen) return;
    const resumed = await feed.resume(since ?? "");
    if (since !== null && resumed.how === null)
      stream.send(encodeEvent({ kind: "reset", reason: "unknown-epoch" }, resumed.id));
    // Also sends the first id, so that a reader without any can resume.
    else
      stream.send(
        encodeEvent(
          { kind: "session-changed", sessionId: id, revision: resumed.revision, summary: null },
          resumed.id,
        ),
      );
    if (!state) await this.#states.check(id);
  }

  #hello(states: LiveState[]) {
    const titles = states.map(({ sessionId }) => [sessionId, titleOf(this.#catalog, sessionId)]);
    return { states, titles: Object.fromEntries(titles) as Record<string, string> };
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

/** What a session is called in what is told of it. One that is gone has no name. */
export function titleOf(catalog: Catalog, id: SessionId): string {
  try {
    return catalog.summary(id).title;
  } catch (error) {
    if (isViewerError(error)) return "";
    throw error;
  }
}
