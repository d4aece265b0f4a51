import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import type { Health, Warning } from "@/lib/wire/library";
import type { Access } from "@/lib/wire/shares";
import { CopiesFolder } from "./copies-folder";
import { type CopiedSession, CopyFollower, copyFolderOf, standsStill } from "./copy-follower";
import type { AskCopies } from "./copy-task";
import type { ShareRecord } from "./share-file";

/** The library of a share that nobody uses is closed after this time, and opened again when somebody does. */
const IDLE_MS = 600_000;
/** Changes within this time are copied together. */
const BATCH_MS = 30;
/** With a request, changes that no watch reports are looked for at most this often. */
const LOOK_EVERY_MS = 2_000;
/** And this often while somebody follows and requests nothing: a watch may miss changes that their page waits for. */
const LOOK_AT_REST_MS = 3_000;

/** A library over a copy, as far as shares use it. */
export type Answering = { catalog: Catalog; dispose(): unknown };

/** Opens a library over a copy: `open` is given a folder like the client's with one session, and one for an index. */
export type ShareWorld<Library> = {
  catalog: Catalog;
  secrets: Pick<SessionSecrets, "known" | "ownPatterns">;
  dataDir: string | null;
  ask: AskCopies;
  open(logs: string, data: string, access: Access): Library;
  /** Called with a warning about links whose readers see nothing new; with none once all do again. */
  warn?(warnings: Health["warnings"]): void;
  /** Called once, with a warning that links which an earlier server made are lost. */
  lost?(warning: Warning): void;
};

/** A share's copy, and the library over it. */
export type OpenedCopy<Library> = { copied: CopiedSession; library: Promise<Library> };

/**
 * The copies that links open, each with the library over it: made when a link is asked for, kept up with its session, and
 * removed once nobody has asked for it for a while.
 */
export class OpenedCopies<Library extends Answering> {
  readonly #world: ShareWorld<Library>;
  readonly #open = new Map<string, OpenedCopy<Library>>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #readers = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #follower: CopyFollower;
  #folder: CopiesFolder | null = null;

  constructor(world: ShareWorld<Library>) {
    this.#world = world;
    this.#follower = new CopyFollower(
      world.catalog,
      world.ask,
      () => world.secrets.ownPatterns(),
      { batchMs: BATCH_MS, lookEveryMs: LOOK_EVERY_MS },
      (faults) => world.warn?.(faults.map(standsStill)),
    );
  }

  /** The copy of a share, which is made if there is none. Its library rejects where it cannot be: the next call tries again. */
  of(share: ShareRecord): OpenedCopy<Library> {
    this.#rest(share.id);
    const known = this.#open.get(share.id);
    if (known) return known;
    this.#folder ??= new CopiesFolder();
    const copied: CopiedSession = {
      id: share.id,
      sessionId: share.sessionId,
      folder: join(this.#folder.path, share.id),
      rules: null,
      leftOut: share.without,
    };
    const library = this.#makeLibrary(share, copied);
    const open = { copied, library };
    this.#open.set(share.id, open);
    // The waiting request gets the reason; the next one tries again.
    library.catch(() => this.#open.get(share.id) === open && this.#open.delete(share.id));
    return open;
  }

  /** Those that are open now, by their shares' ids. */
  all(): Iterable<[id: string, opened: OpenedCopy<Library>]> {
    return this.#open;
  }

  /** Looks for changes of the session that no watch reports, where the share is open. */
  look(id: string): void {
    const open = this.#open.get(id);
    if (open) this.#follower.look(open.copied);
  }

  /** How many streams read by a share now. */
  readersOf(id: string): number {
    return this.#readers.get(id) ?? 0;
  }

  /** Counts a stream, for which changes are looked for, until the returned function is called. */
  follow(id: string): () => void {
    this.#readers.set(id, this.readersOf(id) + 1);
    const looking = setInterval(() => this.look(id), LOOK_AT_REST_MS).unref();
    return () => {
      clearInterval(looking);
      this.#readers.set(id, (this.#readers.get(id) ?? 1) - 1);
      this.#rest(id);
    };
  }

  /** Something may have been written at this path. */
  touch(path: string): void {
    this.#follower.touch(path);
  }

  /** Closes the copy of a share that has ended. */
  end(id: string): void {
    this.#readers.delete(id);
    this.#close(id);
  }

  /** Closes and removes all. */
  stop(): void {
    for (const id of [...this.#open.keys()]) this.#close(id);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    void this.#folder?.remove(Promise.allSettled(this.#closing.values()));
    this.#folder = null;
  }

  async #makeLibrary(share: ShareRecord, copied: CopiedSession): Promise<Library> {
    // If it was closed a moment ago, its folder is still to be removed.
    await this.#closing.get(share.id);
    // A link outlives the server: it may be opened before the first listing.
    await this.#world.catalog.settle(share.sessionId);
    if (share.redact) {
      const own = await this.#world.secrets.ownPatterns();
      const { learned, upTo } = await this.#world.secrets.known(share.sessionId);
      copied.rules = { own, learned, learnedUpTo: upTo, kept: share.kept };
    }
    await this.#follower.follow(copied);
    const data = join(copied.folder, "data");
    await mkdir(data, { mode: 0o700 });
    const library = this.#world.open(copyFolderOf(copied.folder), data, accessOf(share));
    await library.catalog.list();
    return library;
  }

  /** Closes a library, and removes its copy. */
  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    const timer = this.#timers.get(id);
    if (timer) clearTimeout(timer);
    this.#timers.delete(id);
    if (!open) return;
    // A library that failed to open needs no closing.
    const opened = open.library.catch(() => null);
    const ended = opened
      .then((library) => library?.dispose())
      .catch((error: unknown) => console.error("Closing the library of a link failed:", error));
    const removed = this.#follower.drop(open.copied, ended).finally(() => this.#closing.delete(id));
    this.#closing.set(id, removed);
  }

  /** The time after which nobody uses a share any more begins anew. */
  #rest(id: string): void {
    const timer = this.#timers.get(id);
    if (timer) clearTimeout(timer);
    const later = setTimeout(() => {
      if ((this.#readers.get(id) ?? 0) === 0) this.#close(id);
      else this.#rest(id);
    }, IDLE_MS);
    this.#timers.set(id, later.unref());
  }
}

/** What a guest's library is told of their link. The session's id, which may be its log's name, is its owner's alone. */
function accessOf({ redact: redacted, without, comments, expiresAtMs }: ShareRecord): Access {
  return { kind: "share", sessionId: null, redacted, without, comments, expiresAtMs };
}
