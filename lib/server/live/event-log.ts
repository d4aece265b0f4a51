import type { LiveEvent } from "@/lib/wire/live";
import { encodeEvent, type EventStream } from "./event-stream";

/** Events that a reader who comes back is sent again; one who missed more asks anew. */
const KEPT = 512;

/** What every reader is told: sessions that changed, came or went, and how they stand. Ids are `epoch:number`. */
export class EventLog {
  readonly #epoch = `l${Date.now().toString(36)}`;
  readonly #kept: Uint8Array[] = [];
  readonly #streams = new Set<EventStream>();
  #count = 0;

  get id(): string {
    return `${this.#epoch}:${this.#count}`;
  }

  get readers(): number {
    return this.#streams.size;
  }

  /** `withIds`: this reader resumes by these ids, not by a session's. */
  join(stream: EventStream): void {
    this.#streams.add(stream);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  tell(event: LiveEvent): void {
    this.#count += 1;
    const bytes = encodeEvent(event, null);
    this.#kept.push(bytes);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const stream of this.#streams) stream.send(bytes);
  }

  /** What was told since an id, or `null` when that is no longer known. */
  since(id: string): Uint8Array[] | null {
    const [epoch, number] = id.split(":");
    const missed = this.#count - Number(number);
    if (epoch !== this.#epoch || !(missed >= 0) || missed > this.#kept.length) return null;
    return missed === 0 ? [] : this.#kept.slice(-missed);
  }
}
