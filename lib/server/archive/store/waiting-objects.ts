import { freeMemory } from "@/lib/server/runtime/free-memory";
import { BLOCK_BYTES, giveBack, takeMemory } from "./memory";

/**
 * Objects that wait to be written together. They are copied to memory that is reused: if each had memory of its own, V8
 * would count their megabytes as a growing heap, and search all of it.
 */
export class WaitingObjects {
  readonly #objects = new Map<string, Uint8Array>();
  /** How far the last one is filled. */
  readonly #blocks: Buffer[] = [];
  #filled = 0;
  #bytes = 0;

  get all(): ReadonlyMap<string, Uint8Array> {
    return this.#objects;
  }

  /** Their total length. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes are freed: nobody else may use them any more */
  add(name: string, bytes: Uint8Array): void {
    const copy = this.#room(bytes.length);
    copy.set(bytes);
    freeMemory(bytes);
    this.#objects.set(name, copy);
    this.#bytes += copy.length;
  }

  /** Takes over all objects of another queue. */
  takeOver(others: WaitingObjects): void {
    for (const [name, bytes] of others.#objects) this.#objects.set(name, bytes);
    if (this.#blocks.length === 0) this.#filled = others.#filled;
    this.#blocks.unshift(...others.#blocks);
    this.#bytes += others.#bytes;
  }

  /** Frees their memory, after they are written. */
  clear(): void {
    this.#objects.clear();
    for (const block of this.#blocks.splice(0)) giveBack(block);
    this.#bytes = 0;
  }

  #room(length: number): Uint8Array {
    let block = this.#blocks.at(-1);
    if (!block || this.#filled + length > block.length) {
      block = takeMemory(Math.max(BLOCK_BYTES, length));
      this.#blocks.push(block);
      this.#filled = 0;
    }
    const room = block.subarray(this.#filled, this.#filled + length);
    this.#filled += length;
    return room;
  }
}
