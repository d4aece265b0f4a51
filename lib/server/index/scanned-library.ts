import { isBlankName } from "@/lib/format/shown-name";
import type { SessionShare } from "@/lib/log/graph/session-share";
import { explainFault, mayPass } from "@/lib/server/disk/file-fault";
import type { Catalog } from "@/lib/server/library/catalog";
import { LibraryTotals } from "@/lib/server/library/library-totals";
import { bytesOf, type SessionFiles, signatureOf } from "@/lib/server/library/session-files";
import { type SessionNumbers, titleLine } from "@/lib/server/library/session-summary";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { isThreadEnded } from "@/lib/server/runtime/worker-thread";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { StoredEntry, StoredTitles } from "@/lib/server/scan/stored-session";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import { readBytesOf } from "./active-session-cache";
import type { LibraryIndex } from "./library-index";

/** The results of scanning the library's sessions: their entries, and their contributions to totals. */
export class ScannedLibrary {
  readonly #catalog: Catalog;
  readonly #index: Pick<LibraryIndex, "index" | "state">;
  readonly read = new ReadSessions();
  readonly totals = new LibraryTotals();
  /** Sessions with a log that could not be read for a possibly temporary reason. */
  readonly passing = new Set<SessionId>();
  #revision = 0;

  constructor(catalog: Catalog, index: Pick<LibraryIndex, "index" | "state">) {
    this.#catalog = catalog;
    this.#index = index;
  }

  /** Increases with every session that is scanned. */
  get revision(): number {
    return this.#revision;
  }

  /** What a query's filters ask about a session; null until it has been scanned. */
  facets(id: SessionId): SessionFacets | null {
    return this.read.get(id)?.entry.facets ?? null;
  }

  /** How far each log of a session has been scanned: bytes by the log's key. Null until it has been. */
  scannedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    const read = this.read.get(id);
    return read ? new Map(read.entry.files.map(({ key, bytes }) => [key, bytes])) : null;
  }

  /** How far each log of a session is in the index: bytes by the log's key. Null where there is no index. */
  indexedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    const read = this.read.get(id);
    if (!read?.isStored || this.#index.state.path === null) return null;
    return this.scannedBytes(id);
  }

  /**
   * Reads what is new in a session; problems are shown in the list. False if the thread that read it has ended
   * meanwhile, possibly because of another session: then it counts as not read.
   * @param isOneOfMany another thread may read it
   * @param onRead see `LibraryIndex.index`
   */
  async scan(id: SessionId, isOneOfMany: boolean, onRead?: () => void): Promise<boolean> {
    try {
      await this.#read(id, isOneOfMany, onRead);
    } catch (error) {
      if (isThreadEnded(error)) return false;
      this.#noteFailure(id, error);
    }
    return true;
  }

  /** The same for a session that is read alone: if the thread ends, the session is to blame. */
  async scanAlone(id: SessionId): Promise<void> {
    try {
      await this.#read(id, false);
    } catch (error) {
      this.#noteFailure(id, error);
    }
  }

  async #read(id: SessionId, isOneOfMany: boolean, onRead?: () => void): Promise<void> {
    // Taken before the scan: what is appended meanwhile makes the session due again.
    const files = this.#catalog.sessionFiles(id);
    const read = this.totals.has(id) ? this.read.get(id)?.entry.files : undefined;
    const sharedBytes = read ? readBytesOf(read) : null;
    const { entry, share, goesOn, isStored } = await this.#index.index(
      files,
      isOneOfMany,
      sharedBytes,
      onRead,
    );
    if (goesOn) this.totals.extend(id, share, entry.names);
    else this.totals.put(id, share, entry.names);
    this.take(files, entry, isStored);
    // The permissions of an agent's log can change without a change of the file.
    this.#note(id, entry.unread.length > 0);
  }

  #noteFailure(id: SessionId, error: unknown): void {
    this.#note(id, isPassing(error));
    this.#catalog.setProblem(id, scanFailure(error));
  }

  #note(id: SessionId, mayPass: boolean): void {
    if (mayPass) this.passing.add(id);
    else this.passing.delete(id);
  }

  /** Shows what an entry says of these files in the list. */
  take(files: SessionFiles, entry: StoredEntry, isStored: boolean): void {
    this.#revision += 1;
    this.read.put(files, entry, isStored);
    // Merged by spreading, each session's object would have a shape of its own, which takes more memory than its
    // contents.
    const numbers: SessionNumbers = Object.assign({}, entry.numbers, titleOf(entry.titles), {
      cost: this.#costOf(files.id, entry),
      lastAtMs: entry.facets.lastAtMs,
    });
    this.#catalog.setNumbers(files.id, numbers, bytesOf(files));
  }

  /** Adds a session's contribution from the index to the totals, once its entry has been taken over. */
  putShare(files: SessionFiles, share: SessionShare): void {
    const read = this.read.get(files.id);
    if (!read) return;
    const { entry, isStored } = read;
    this.totals.put(files.id, share, entry.names);
    if (this.#costOf(files.id, entry)?.microUsd !== entry.numbers.cost?.microUsd)
      this.take(files, entry, isStored);
  }

  /** At today's prices, which may differ from those when it was indexed. */
  #costOf(id: SessionId, { numbers }: StoredEntry): SessionNumbers["cost"] {
    const cost = this.totals.cost(id);
    if (!cost) return numbers.cost;
    return { ...cost, reportedMicroUsd: numbers.cost?.reportedMicroUsd ?? null };
  }

  /** Drops what was found of sessions that are no longer listed. */
  dropGone(): void {
    const listed = new Set(this.#catalog.summaries().map(({ id }) => id));
    this.read.keepOnly(listed);
    this.totals.keepOnly(listed);
    for (const id of this.passing) if (!listed.has(id)) this.passing.delete(id);
  }
}

/** A person's own title wins over a generated one. Without either the first pass's stays. */
function titleOf({ custom, ai }: StoredTitles): Pick<SessionNumbers, "title" | "titleSource"> {
  for (const [titleSource, text] of [["custom", custom] as const, ["ai", ai] as const]) {
    const title = titleLine(text ?? "");
    if (!isBlankName(title)) return { title, titleSource };
  }
  return {};
}

/** Whether the cause of a failed scan may pass while the session's files stay as they are. */
function isPassing(error: unknown): boolean {
  return isViewerError(error) ? PASSING.has(error.code) : mayPass(error);
}

const PASSING = new Set(["file-unreadable", "archive-unreadable"]);

/**
 * The message about a session that could not be scanned. A bug is logged to the terminal, too: it must not keep others
 * from being scanned.
 */
function scanFailure(error: unknown): SessionSummary["problem"] {
  if (isViewerError(error)) return { code: error.code, message: error.message, hint: error.hint };
  if (mayPass(error)) return { ...explainFault(error), code: "file-unreadable" };
  console.error(error);
  if (isThreadEnded(error))
    return {
      code: "scan-ended",
      message: "Reading this session ended the thread that reads",
      hint: "It may need more memory than there is. The terminal that runs Backscroll shows more; all others are read.",
    };
  return {
    code: "scan-failed",
    message: "Backscroll failed to scan this session",
    hint: "This is a bug. The terminal that runs Backscroll shows where.",
  };
}

/** With so much left to read another thread is worth its start. */
const MUCH_BYTES = 32 << 20;

/** While folders are being listed, newer sessions may follow those that were seen. */
const LOOK_AGAIN_MS = 200;

/** Chooses which of the listed sessions are to be scanned. */
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

  /**
   * Sessions that were never read, have changed since, or were in an index that had to be discarded; last active first.
   */
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

/** `files`: as they were when they were read. `isStored`: it is in the index as well. */
type ReadOf = { files: SessionFiles; entry: StoredEntry; isStored: boolean };

/** What has been read of each session, and whether that is saved. */
export class ReadSessions {
  readonly #read = new Map<SessionId, ReadOf>();

  get size(): number {
    return this.#read.size;
  }

  get(id: SessionId): Omit<ReadOf, "files"> | null {
    return this.#read.get(id) ?? null;
  }

  /** Notes what was read of a session, in place of what was. */
  put(files: SessionFiles, entry: StoredEntry, isStored: boolean): void {
    this.#read.set(files.id, { files, entry, isStored });
  }

  /** True if its files are those that were read. */
  holds(files: SessionFiles): boolean {
    const read = this.#read.get(files.id);
    // This is asked about all sessions whenever a line is written anywhere, and usually only one of them was listed
    // again.
    if (read === undefined || read.files === files) return read !== undefined;
    const isSame = signatureOf(read.files) === signatureOf(files);
    if (isSame) read.files = files;
    return isSame;
  }

  /** Sessions that were read while the index could not be written. */
  unsaved(): SessionId[] {
    return [...this.#read].flatMap(([id, { isStored }]) => (isStored ? [] : [id]));
  }

  /** Forgets a session, which is then read again. */
  drop(id: SessionId): void {
    this.#read.delete(id);
  }

  keepOnly(ids: ReadonlySet<SessionId>): void {
    for (const id of this.#read.keys()) if (!ids.has(id)) this.#read.delete(id);
  }

  clear(): void {
    this.#read.clear();
  }
}
