/** At so many looks in a row a log must have changed with no event since the look before. One event may still be on its way. */
const MIN_LOOKS = 2;

/** `bytes`: at the last look. `unseen`: at how many looks in a row it had changed with no event since the one before. */
type LookedAt = { bytes: number; unseen: number; told: boolean };

/**
 * Tells logs of whose changes no watch says anything from those that are merely written often. It compares the sizes at
 * its own looks: any other record of a log, such as the listing, lags behind while the log is written.
 */
export class UnseenGrowth {
  #logs = new Map<string, LookedAt>();

  /** An event has named this file. */
  told(path: string): void {
    const log = this.#logs.get(path);
    if (log) log.told = true;
  }

  /**
   * Compares logs with the last look.
   * @param sizes the logs' sizes now, by their paths; all others are forgotten
   * @returns `doubted`: logs that have changed without an event for the first time; `untold`: those that did so repeatedly
   */
  look(sizes: ReadonlyMap<string, number>): { doubted: string[]; untold: string[] } {
    const doubted: string[] = [];
    const untold: string[] = [];
    const logs = new Map<string, LookedAt>();
    for (const [path, bytes] of sizes) {
      const before = this.#logs.get(path);
      const isUnseen = before !== undefined && !before.told && before.bytes !== bytes;
      const unseen = isUnseen ? before.unseen + 1 : before?.told ? 0 : (before?.unseen ?? 0);
      logs.set(path, { bytes, unseen, told: false });
      if (isUnseen) (unseen < MIN_LOOKS ? doubted : untold).push(path);
    }
    this.#logs = logs;
    return { doubted, untold };
  }
}
