import type { Catalog } from "@/lib/server/library/catalog";
import { bytesOf } from "@/lib/server/library/session-signature";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { LibraryIndex } from "./library-index";
import type { ReadSessions } from "./read-sessions";

/** With so much left to read another thread is worth its start. */
const MUCH_BYTES = 32 << 20;

/** While folders are being listed, newer sessions may come than those that were seen. */
const LOOK_AGAIN_MS = 200;

/** Which sessions are to be scanned, out of what is listed by now. */
export class DueSessions {
  readonly #catalog: Catalog;
  readonly #index: Pick<LibraryIndex, "state">;
  readonly #read: ReadSessions;
  /** The index's at the first look, and since it was last thrown away. */
  #epoch: number | null = null;
  #lookedAtMs = 0;
  /** The last look was at a whole listing. */
  #sawAll = false;
  #hasMuch = false;

  constructor(catalog: Catalog, index: Pick<LibraryIndex, "state">, read: ReadSessions) {
    this.#catalog = catalog;
    this.#index = index;
    this.#read = read;
  }

  /** True when the last look found much to read, or not all is listed yet. */
  get hasMuch(): boolean {
    return this.#hasMuch;
  }

  /** True when more may be listed than the last look saw. */
  get isOutdated(): boolean {
    if (this.#sawAll) return false;
    return this.#catalog.listed || performance.now() - this.#lookedAtMs > LOOK_AGAIN_MS;
  }

  /** What has never been read, has changed since, or was in an index that had to be thrown away; last active first. */
  look(): SessionId[] {
    const { epoch } = this.#index.state;
    if (this.#epoch !== null && epoch !== this.#epoch) this.#read.clear();
    this.#epoch = epoch;
    const due = this.#list();
    const bytes = due.reduce((sum, id) => sum + this.bytesOf(id), 0);
    this.#sawAll = this.#catalog.listed;
    this.#hasMuch = !this.#sawAll || bytes > MUCH_BYTES;
    this.#lookedAtMs = performance.now();
    return due;
  }

  /** Bytes of all of a session's logs. */
  bytesOf(id: SessionId): number {
    try {
      return bytesOf(this.#catalog.sessionFiles(id));
    } catch (error) {
      if (isViewerError(error)) return 0; // gone since it was listed; scanning it says so
      throw error;
    }
  }

  #list(): SessionId[] {
    const due = new Set(this.#catalog.due());
    const changed = this.#catalog.summaries().filter(({ id, problem }) => {
      if (due.has(id) || problem !== null) return false;
      return !this.#read.holds(this.#catalog.sessionFiles(id));
    });
    changed.sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    return [...due, ...changed.map(({ id }) => id)];
  }
}
