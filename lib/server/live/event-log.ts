import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";
import { type EventStream, encodeEvent } from "./event-stream";

/** Events that a reader who comes back is sent again; one who missed more asks anew. */
const KEPT = 512;

/** What readers of the library are told: sessions that changed, came or went, and how they stand. */
export class EventLog {
  /** Another one after each start of the server. */
  readonly epoch = `l${Date.now().toString(36)}`;
  readonly #kept: Uint8Array[] = [];
  /** Reader → the one session it is about, `null` for all. */
  readonly #streams = new Map<EventStream, SessionId | null>();
  #count = 0;

  /** `epoch:number` of the last event. */
  get id(): string {
    return `${this.epoch}:${this.#count}`;
  }

  /** Readers of one session resume by the session's ids, so theirs come without. */
  join(stream: EventStream, about: SessionId | null): void {
    this.#streams.set(stream, about);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** `about`: the session that the event is about, `null` for none in particular. */
  tell(event: LiveEvent, about: SessionId | null): void {
    this.#count += 1;
    const numbered = encodeEvent(event, this.id);
    const plain = encodeEvent(event, null);
    this.#kept.push(numbered);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const [stream, session] of this.#streams) {
      if (session === null) stream.send(numbered);
      else if (session === about) stream.send(plain);
    }
  }

  /** What was told since an id, or `null` when that is no longer known. */
  since(id: string): Uint8Array[] | null {
    const [epoch, number] = id.split(":");
    const missed = this.#count - Number(number);
    if (epoch !== this.epoch || !(missed >= 0) || missed > this.#kept.length) return null;
    return missed === 0 ? [] : this.#kept.slice(-missed);
  }
}
