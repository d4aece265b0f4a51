import type { ReadableRecord } from "@/lib/log/records/session-record";

/** Only the first turn of a log is written in this order. */
const MAX_LINES = 32;

/**
 * Notices a prompt that stands behind lines of its own answer: clients from 2.1.110 on may write a session's first turn so
 * (2.1.170: two of seven sessions in the terminal). Attachments may stand behind that prompt and belong between it and
 * the answer, so that it was answered may only be known with the last of those.
 */
export class LatePrompt<Stand> {
  /** The lines that were read, each with its parent. */
  readonly #parents = new Map<string, string | null>();
  /** Parents of lines that were read, which were not read themselves. */
  readonly #awaited = new Set<string>();
  /** The last prompt, where something was awaited, and how things stood before it. */
  #prompt: { uuid: string; stand: Stand } | null = null;

  /**
   * Takes the next line.
   * @param stand how things stand without it
   * @returns how things stood before the last prompt, if this line shows that its answer was read before it; else `null`
   */
  take({ kind, uuid, parentUuid }: ReadableRecord, stand: () => Stand): Stand | null {
    if (uuid === null || this.#parents.size >= MAX_LINES) return null;
    const isAwaited = this.#awaited.delete(uuid);
    this.#parents.set(uuid, parentUuid);
    if (kind === "user") this.#prompt = isAwaited || this.#awaited.size > 0 ? { uuid, stand: stand() } : null;
    else if (kind === "assistant") this.#prompt = null;
    if (parentUuid !== null && !this.#parents.has(parentUuid)) this.#awaited.add(parentUuid);
    return isAwaited && this.#isBelowPrompt(uuid) ? (this.#prompt?.stand ?? null) : null;
  }

  /** The same, which goes on by itself. */
  copy(): LatePrompt<Stand> {
    const copy = new LatePrompt<Stand>();
    for (const [uuid, parent] of this.#parents) copy.#parents.set(uuid, parent);
    for (const uuid of this.#awaited) copy.#awaited.add(uuid);
    copy.#prompt = this.#prompt;
    return copy;
  }

  /** Whether it is the prompt, or what belongs behind it. */
  #isBelowPrompt(uuid: string): boolean {
    let at: string | null | undefined = uuid;
    for (let steps = 0; at && steps <= this.#parents.size; steps += 1) {
      if (at === this.#prompt?.uuid) return true;
      at = this.#parents.get(at);
    }
    return false;
  }
}
