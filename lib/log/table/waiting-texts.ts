import type { QueuedText } from "./session-table";

/** What is queued and not delivered yet, oldest first; found by its text's number without a search. */
export class WaitingTexts {
  readonly #all = new Set<QueuedText>();
  readonly #byText = new Map<number, QueuedText[]>();

  get size(): number {
    return this.#all.size;
  }

  /** @param text its number, -1 for what is no prompt */
  add(entry: QueuedText, text: number): void {
    this.#all.add(entry);
    const same = this.#byText.get(text);
    if (same) same.push(entry);
    else this.#byText.set(text, [entry]);
  }

  /** Takes out the oldest with this text, else the oldest of all; `null` when nothing waits. */
  take(text: number | null): QueuedText | null {
    const entry = (text === null ? undefined : this.#oldest(text)) ?? this.#all.values().next().value;
    if (!entry) return null;
    this.#all.delete(entry);
    return entry;
  }

  clear(): void {
    this.#all.clear();
    this.#byText.clear();
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
