import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { type Identity, identify } from "@/lib/server/scan/file-identity";
import { isLogRewritten } from "@/lib/server/session/logs-read";
import type { OpenSession } from "@/lib/server/session/open-session";
import type { RunningCalls } from "@/lib/server/session/running-calls";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import { type EventStream, encodeEvent } from "./event-stream";
import { type Folding, ViewFeed } from "./view-feed";

/** How often one update begins again because a log was rewritten under it. */
const MAX_REWRITTEN = 4;

type Watched = { feed: ViewFeed; streams: Set<EventStream> };

/** Reads the current state of the session's files. */
export type Latest = (id: SessionId) => Promise<OpenSession>;

/**
 * The events for the readers of one session. The session is read once for all of them, and each view's events
 * are built and encoded once, however many readers it has.
 */
export class SessionFeed {
  readonly #id: SessionId;
  readonly #latest: Latest;
  readonly #running: () => RunningCalls | null;
  readonly #views = new Map<string, Watched>();
  #offset: StreamOffset | null = null;
  #updating: Promise<void> | null = null;
  #again = false;
  #gone = false;

  constructor(id: SessionId, latest: Latest, running: () => RunningCalls | null) {
    this.#id = id;
    this.#latest = latest;
    this.#running = running;
  }

  get isWatched(): boolean {
    return this.#views.size > 0;
  }

  /** The session did not exist when it was last read. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** Adds a reader. Its view is brought up to date first, so that it receives exactly the changes after this. */
  async join(stream: EventStream, view: LiveView, folding: Folding): Promise<void> {
    const key = JSON.stringify(view);
    const known = this.#views.get(key);
    const watched = known ?? { feed: new ViewFeed(view, folding), streams: new Set() };
    this.#views.set(key, watched);
    watched.streams.add(stream);
    if (!known) await this.update();
  }

  /** Removes a reader, of all views that it has joined. */
  leave(stream: EventStream): void {
    for (const [key, { streams }] of this.#views) {
      streams.delete(stream);
      if (streams.size === 0) this.#views.delete(key);
    }
  }

  /** Whether the id that a returning reader sends is a prefix of the current state. */
  async resume(since: string): Promise<{ id: string; how: "same" | "grown" | null; revision: number }> {
    const session = await this.#latest(this.#id);
    return {
      id: formatStreamOffset(streamOffsetOf(session)),
      how: continuesFrom(since, session),
      revision: session.revision,
    };
  }

  /** Reads what has been written and notifies all readers. Calls during a run cause one more run after it. */
  update(): Promise<void> {
    if (this.#updating) {
      this.#again = true;
      return this.#updating;
    }
    this.#updating = this.#updateAll();
    return this.#updating;
  }

  async #updateAll(): Promise<void> {
    try {
      let rewritten = 0;
      do {
        this.#again = false;
        try {
          await this.#updateOnce();
        } catch (error) {
          if (!isLogRewritten(error)) throw error;
          // Nothing is told of what it no longer holds. A log that is rewritten without end is looked at when it changes next.
          rewritten += 1;
          this.#again ||= rewritten < MAX_REWRITTEN;
        }
      } while (this.#again);
    } finally {
      // At once: who asks for a run after the last look at `again` begins one.
      this.#updating = null;
    }
  }

  async #updateOnce(): Promise<void> {
    let session: OpenSession;
    let offset: StreamOffset;
    let same: boolean;
    try {
      session = await this.#latest(this.#id);
      offset = streamOffsetOf(session);
      same = !this.#gone && (this.#offset === null || isSameEpoch(this.#offset, offset, session));
    } catch (error) {
      if (!isViewerError(error) || isLogRewritten(error)) throw error;
      this.#offset = null;
      // Sent once. If the session comes back, that is a new start.
      if (!this.#gone) this.#sendToAll({ kind: "reset", reason: "gone" }, null);
      this.#gone = true;
      return;
    }
    const id = formatStreamOffset(offset);
    this.#offset = offset;
    this.#gone = false;
    if (!same) this.#sendToAll({ kind: "reset", reason: "files-replaced" }, id);
    for (const { feed, streams } of this.#views.values()) {
      for (const event of await feed.advance(this.#id, session, this.#running())) {
        // A reset needs no further events: the view starts again.
        if (same) send(streams, event, id);
      }
    }
  }

  #sendToAll(event: LiveEvent, id: string | null): void {
    for (const { streams } of this.#views.values()) send(streams, event, id);
  }
}

function send(streams: ReadonlySet<EventStream>, event: LiveEvent, id: string | null): void {
  const bytes = encodeEvent(event, id);
  for (const stream of streams) stream.send(bytes);
}

/**
 * How far a session's files have been read: `epoch:offset` on the wire. The epoch identifies the main log and
 * the content before the offset, so it differs for a log that was truncated, replaced or written again.
 */
export type StreamOffset = { identity: Identity; mainBytes: number; agentBytes: number };

/** Where the last complete lines of a session end. Throws what `openConfinedSync` throws. */
export function streamOffsetOf({ files, positions }: OpenSession): StreamOffset {
  const [mainBytes = 0, ...agents] = positions.ends();
  const agentBytes = agents.reduce((sum, end) => sum + end, 0);
  return { identity: identityAt(files, mainBytes), mainBytes, agentBytes };
}

/** True when `later` has the same files, grown or not. Reads the log once more at the earlier offset. */
export function isSameEpoch(earlier: StreamOffset, later: StreamOffset, session: OpenSession): boolean {
  if (later.mainBytes < earlier.mainBytes || later.agentBytes < earlier.agentBytes) return false;
  const { files } = session;
  return marksOf(identityAt(files, earlier.mainBytes)) === marksOf(earlier.identity);
}

/** `epoch:offset`. */
export function formatStreamOffset(offset: StreamOffset): string {
  return `${marksOf(offset.identity)}:${offset.mainBytes}.${offset.agentBytes}`;
}

/**
 * Whether the state that an id of an event identifies is the current one or its beginning; `null` where it is neither, as
 * of a log that was cut or written anew, and for what is no such id. Throws what `openConfinedSync` throws.
 */
export function continuesFrom(id: string, session: OpenSession): "same" | "grown" | null {
  const parts = /^(.{1,120}):(\d{1,15})\.(\d{1,15})$/.exec(id);
  if (!parts) return null;
  const now = streamOffsetOf(session);
  const [mainBytes, agentBytes] = [Number(parts[2]), Number(parts[3])];
  if (mainBytes > now.mainBytes || agentBytes > now.agentBytes) return null;
  const { files } = session;
  if (marksOf(identityAt(files, mainBytes)) !== parts[1]) return null;
  return mainBytes === now.mainBytes && agentBytes === now.agentBytes ? "same" : "grown";
}

function marksOf({ dev, ino, tail }: Identity): string {
  return `${dev.toString(36)}-${ino.toString(36)}-${tail.slice(0, 12)}`;
}

/** Identity of the main log; one that is gone has none, so its session starts again when it comes back. */
function identityAt({ root, main }: SessionFiles, bytes: number): Identity {
  if (main.gone) return { dev: 0, ino: 0, size: 0, head: "", tail: "" };
  const file = openConfinedSync(root, main.path);
  try {
    return identify(file, bytes);
  } finally {
    file.close();
  }
}
