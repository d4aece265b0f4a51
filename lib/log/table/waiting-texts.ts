import { addTo } from "@/lib/format/lists";

/** A prompt typed while the model worked: its enqueue operation, and the operation that delivered it (-1 if none did). */
export type QueuedText = { enqueued: number; delivered: number };

/** Texts that are queued and not delivered yet, oldest first; found by the number of their text without a search. */
export class WaitingTexts {
  readonly #all = new Set<QueuedText>();
  readonly #byText = new Map<number, QueuedText[]>();

  /** @param text number of its text, -1 if it is not a prompt */
  add(entry: QueuedText, text: number): void {
    this.#all.add(entry);
    addTo(this.#byText, text, entry);
  }

  /** Removes the oldest entry with this text, else the oldest of all; `null` when nothing is queued. */
  take(text: number | null): QueuedText | null {
    const entry = (text === null ? undefined : this.#oldest(text)) ?? this.#all.values().next().value;
    if (!entry) return null;
    this.#all.delete(entry);
    return entry;
  }

  /** Removes all entries, and returns them. */
  takeAll(): Set<QueuedText> {
    const taken = new Set(this.#all);
    this.#all.clear();
    this.#byText.clear();
    return taken;
  }

  #oldest(text: number): QueuedText | undefined {
    const same = this.#byText.get(text);
    while (same && same.length > 0) {
      const entry = same.shift();
      if (entry && this.#all.has(entry)) return entry;
    }
    return undefined;
  }
}
