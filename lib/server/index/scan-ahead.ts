import type { SessionId } from "@/lib/wire/ids";

/**
 * How much may wait: so many bytes of logs, but `least` sessions whatever their size, and never more than `most`.
 */
type Limit = { bytes: number; least: number; most: number };

/** What is queued at the threads that read, which then never wait for us, however small the sessions are. */
const TO_READ: Limit = { bytes: 8 << 20, least: 4, most: 32 };

/**
 * What has been read and is to be saved: while the index's thread makes the graph of a large session and writes it,
 * another reads many small ones. It takes a seventh of the logs' bytes in memory.
 */
const TO_SAVE: Limit = { bytes: 128 << 20, least: 4, most: 256 };

/** What is scanned; `next` is null at the end, and `bytesOf` is the size of a session's logs. */
type Source = { next: () => Promise<SessionId | null>; bytesOf: (id: SessionId) => number };

/**
 * Scans one session after another without waiting for each to end, as many at once as is useful. Rejects with what a
 * scan did, when those that had begun have ended.
 *
 * @param scan calls `onRead` when only saving is left, if another thread does that
 */
export async function scanAhead(
  { next, bytesOf }: Source,
  scan: (id: SessionId, onRead: () => void) => Promise<void>,
): Promise<void> {
  const toRead = new Load(TO_READ);
  const toSave = new Load(TO_SAVE);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let onChange: () => void = () => undefined;

  const begin = (id: SessionId) => {
    const bytes = bytesOf(id);
    let load = toRead;
    load.add(bytes);
    const move = (to: Load | null) => {
      load.remove(bytes);
      to?.add(bytes);
      load = to ?? load;
      onChange();
    };
    const scanning = scan(id, () => move(toSave))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        running.delete(scanning);
        move(null);
      });
    running.add(scanning);
  };

  while (failures.length === 0) {
    const id = await next();
    if (id === null) break;
    begin(id);
    while (toRead.isFull || toSave.isFull) await new Promise<void>((go) => (onChange = go));
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

/** Sessions that wait for the same, and the bytes of their logs. */
class Load {
  readonly #limit: Limit;
  #sessions = 0;
  #bytes = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    const { bytes, least, most } = this.#limit;
    return this.#sessions >= most || (this.#sessions >= least && this.#bytes > bytes);
  }

  add(bytes: number): void {
    this.#sessions += 1;
    this.#bytes += bytes;
  }

  remove(bytes: number): void {
    this.#sessions -= 1;
    this.#bytes -= bytes;
  }
}
