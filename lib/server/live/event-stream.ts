import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";

/** Unread bytes after which a slow reader's stream is ended; the system's own buffers are full by then. */
const MAX_WAITING_BYTES = 256 << 10;
const PING_MS = 15_000;

const encoder = new TextEncoder();
const PING = encoder.encode(": ping\n\n");
const RESYNC = encodeEvent({ kind: "resync" }, null);

/** An event as bytes, encoded once for all readers. */
export function encodeEvent(event: LiveEvent, id: string | null): Uint8Array {
  const head = id === null ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
}

/**
 * One reader's stream. Unread bytes are queued up to a limit; beyond it the queue is dropped, the reader is told to
 * fetch everything again and the stream ends. So a slow reader delays nobody, and one that sleeps for hours holds no memory.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #closed: (() => void) | null;
  readonly #ping: NodeJS.Timeout;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The reader is ready for the next bytes. */
  #wanted = false;

  /** @param closed called once, however the stream ends */
  constructor(signal: AbortSignal, closed: () => void) {
    this.#closed = closed;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#wanted = true;
          this.#give();
        },
        cancel: () => {
          this.#controller = null;
          this.#waiting = [];
          this.#end();
        },
      },
      { highWaterMark: 0 },
    );
    this.#ping = setInterval(() => this.send(PING), PING_MS).unref();
    signal.addEventListener("abort", () => this.close(), { once: true });
    if (signal.aborted) this.close();
  }

  get isOpen(): boolean {
    return this.#closed !== null;
  }

  /** Sends bytes made by `encodeEvent`; they are not copied. */
  send(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    this.#give();
    if (this.#waitingBytes <= MAX_WAITING_BYTES) return;
    this.#waiting = [RESYNC];
    this.close();
  }

  /** Accepts no more bytes. Queued ones are still delivered. */
  close(): void {
    this.#end();
    this.#give();
  }

  #give(): void {
    const next = this.#wanted ? this.#waiting.shift() : undefined;
    if (next) {
      this.#wanted = false;
      this.#waitingBytes -= next.byteLength;
      this.#controller?.enqueue(next);
    }
    if (this.isOpen || this.#waiting.length > 0) return;
    this.#controller?.close();
    this.#controller = null;
  }

  #end(): void {
    clearInterval(this.#ping);
    const closed = this.#closed;
    this.#closed = null;
    closed?.();
  }
}

/** What browsers tell their readers of, whatever page they have open. */
const NEWS: ReadonlySet<LiveEvent["kind"]> = new Set(["state", "calls"]);

/** Number and bytes of events that a returning reader is sent again; one that missed more fetches everything. */
const MAX_EVENTS = 512;
/** They are sent at once, before any of them is read: with what comes meanwhile they must not fill its stream. */
const MAX_AGAIN_BYTES = MAX_WAITING_BYTES / 2;

/** The events for readers of the library: sessions that changed, appeared or disappeared, and their live states. */
export class EventBacklog {
  /** Changes with each start of the server. */
  readonly epoch = `l${Date.now().toString(36)}`;
  readonly #recent: { bytes: Uint8Array; isNews: boolean }[] = [];
  /** Reader → the one session it follows, `null` for all; and whether it is told of news alone. */
  readonly #streams = new Map<EventStream, { about: SessionId | null; newsOnly: boolean }>();
  #count = 0;

  /** `epoch:number` of the last event. */
  get id(): string {
    return `${this.epoch}:${this.#count}`;
  }

  /** Readers of one session resume by the session's ids, so their events have no id from here. */
  join(stream: EventStream, about: SessionId | null, newsOnly = false): void {
    this.#streams.set(stream, { about, newsOnly });
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** `about`: the session that the event concerns, `null` for none in particular. */
  publish(event: LiveEvent, about: SessionId | null): void {
    this.#count += 1;
    const numbered = encodeEvent(event, this.id);
    const plain = encodeEvent(event, null);
    const isNews = NEWS.has(event.kind);
    this.#recent.push({ bytes: numbered, isNews });
    if (this.#recent.length > MAX_EVENTS) this.#recent.shift();
    for (const [stream, { about: session, newsOnly }] of this.#streams) {
      if (newsOnly && !isNews) continue;
      if (session === null) stream.send(numbered);
      else if (session === about) stream.send(plain);
    }
  }

  /** The events after an id, or `null` when that is no longer known, or they are too many. */
  since(id: string, newsOnly = false): Uint8Array[] | null {
    const [epoch, number] = id.split(":");
    const missed = this.#count - Number(number);
    if (epoch !== this.epoch || !(missed >= 0) || missed > this.#recent.length) return null;
    const all = missed === 0 ? [] : this.#recent.slice(-missed);
    const again = all.filter(({ isNews }) => isNews || !newsOnly).map(({ bytes }) => bytes);
    const size = again.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return size > MAX_AGAIN_BYTES ? null : again;
  }
}
