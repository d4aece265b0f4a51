import type { SessionId } from "@/lib/wire/ids";

/** The order in which sessions are scanned: what a reader has opened, then the one last active. */
export class ScanQueue {
  /** Next last. */
  #waiting: SessionId[] = [];
  readonly #wanted = new Set<SessionId>();
  readonly #taken = new Set<SessionId>();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Replaces what waits by what is due, in that order. What is being scanned is left out. */
  fill(due: readonly SessionId[]): void {
    this.#waiting = due.filter((id) => !this.#taken.has(id)).reverse();
    for (const id of this.#wanted) this.#putFirst(id);
  }

  /** Has a session scanned next, if it is due now or will be. */
  prefer(id: SessionId): void {
    this.#wanted.add(id);
    this.#putFirst(id);
  }

  /** Takes the next one out; null if none waits. Whoever takes it says when it is `done`. */
  next(): SessionId | null {
    const id = this.#waiting.pop();
    if (id === undefined) return null;
    this.#wanted.delete(id);
    this.#taken.add(id);
    return id;
  }

  done(id: SessionId): void {
    this.#taken.delete(id);
  }

  #putFirst(id: SessionId): void {
    const at = this.#waiting.lastIndexOf(id);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.#waiting.push(id);
  }
}
