import { createHash, randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { Catalog } from "@/lib/server/library/catalog";
import { SaveLater } from "@/lib/server/runtime/save-later";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import type { SessionId } from "@/lib/wire/ids";
import type { Health, Warning } from "@/lib/wire/library";
import type { Position } from "@/lib/wire/presence";
import type { Checked, ShareBody } from "@/lib/wire/requests";
import { type Access, type CreatedShare, SHARE_TOKEN_START, type Share } from "@/lib/wire/shares";
import {
  type CopiedSession,
  CopyFollower,
  copyFolderOf,
  makeCopiesFolder,
  removeLeftCopies,
  standsStill,
} from "./copied-session";
import type { AskCopies } from "./copy-task";
import { placeInCopy } from "./place-in-copy";
import { hashOfSecret } from "./session-copy";
import { ShareFile, type ShareRecord } from "./share-file";

const MAX_SHARES = 100;
/** The library of a share that nobody uses is closed after this time, and opened again when somebody does. */
const IDLE_MS = 600_000;
const LOOK_AT_CLOCK_MS = 60_000;
const NOT_COMPARED = { left: null, right: null };
const NO_FILE = { file: null, version: null, against: null, line: null };
/** The interval at which the time of a share's last use is stored. */
const NOTE_USE_MS = 60_000;
/** Changes within this time are copied together. */
const BATCH_MS = 30;
/** With a request, changes that no watch reports are looked for at most this often. */
const LOOK_EVERY_MS = 2_000;
/** And this often while somebody follows and requests nothing: a watch may miss changes that their page waits for. */
const LOOK_AT_REST_MS = 3_000;

/** A visitor with a share's token. */
export type Guest<Library> = {
  shareId: string;
  /** The session as its owner knows it. */
  sessionId: SessionId;
  /** They may read and write comments. */
  comments: boolean;
  /** A text of the owner's about the session, as the guest may read it. */
  redact(text: string): Promise<string>;
  /** Aborts when the share ends. */
  signal: AbortSignal;
  /** The library with the one session that they see. */
  library(): Promise<Library>;
  /** Counts a stream of theirs until the returned function is called. */
  follow(): () => void;
};

/** Opens a library over a copy: `open` is given a folder like the client's with one session, and one for an index. */
type World<Library> = {
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

type Answering = { catalog: Catalog; dispose(): unknown };

type Open<Library> = { copied: CopiedSession; library: Promise<Library> };

/**
 * The links with which other people may read single sessions. Each reads a copy of its own, which contains that session
 * and nothing else: what a guest must not see does not exist for them. Tokens are stored as hashes.
 */
export class Shares<Library extends Answering> {
  readonly #world: World<Library>;
  readonly #file: ShareFile;
  readonly #shares = new Map<string, ShareRecord>();
  readonly #open = new Map<string, Open<Library>>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #ends = new Map<string, AbortController>();
  readonly #readers = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #follower: CopyFollower;
  readonly #loaded: Promise<void>;
  /** What was taken back must not open again after a restart, because the disk was full for a moment. */
  readonly #later = new SaveLater(() => this.#isSaved());
  #noting: NodeJS.Timeout | null = null;
  #folder: string | null = null;

  constructor(world: World<Library>) {
    this.#world = world;
    const times = { batchMs: BATCH_MS, lookEveryMs: LOOK_EVERY_MS };
    this.#follower = new CopyFollower(
      world.catalog,
      world.ask,
      () => world.secrets.ownPatterns(),
      times,
      (faults) => world.warn?.(faults.map(standsStill)),
    );
    this.#file = new ShareFile(world.dataDir);
    this.#loaded = this.#load();
  }

  /** The shares that are still valid, the newest first. */
  async list(): Promise<Share[]> {
    await this.#loaded;
    const shares = [...this.#shares.values()].filter(({ expiresAtMs }) => expiresAtMs > Date.now());
    return shares
      .sort((a, b) => b.createdAtMs - a.createdAtMs)
      .map(({ id, sessionId, redact, comments, createdAtMs, expiresAtMs, lastUsedAtMs }) => ({
        ...{ id, sessionId, redacted: redact, comments, createdAtMs, expiresAtMs, lastUsedAtMs },
        title: this.#titleOf(sessionId),
        readers: this.#readers.get(id) ?? 0,
      }));
  }

  /** Shares a session. Throws ViewerErrors: `session-not-found`, `too-many-shares`, `share-unwritable`, `bad-pattern`. */
  async create({
    sessionId,
    expiresInMs,
    redact,
    except,
    place,
    comments,
  }: Checked<typeof ShareBody>): Promise<CreatedShare> {
    await this.#loaded;
    if (this.#shares.size >= MAX_SHARES)
      throw new ViewerError("too-many-shares", `There are ${MAX_SHARES} links already`, {
        status: 409,
        hint: "Take back some that are no longer needed.",
      });
    await this.#world.catalog.settle(sessionId);
    await this.#world.catalog.refresh(sessionId);
    const token = SHARE_TOKEN_START + randomBytes(32).toString("base64url");
    const nowMs = Date.now();
    const share: ShareRecord = {
      id: randomBytes(9).toString("base64url"),
      sessionId,
      tokenHash: hashOf(token),
      ...{ redact, comments },
      kept: redact ? await this.#hashesOf(sessionId, except) : [],
      createdAtMs: nowMs,
      expiresAtMs: nowMs + expiresInMs,
      lastUsedAtMs: null,
    };
    try {
      this.#add(share);
      const { library } = this.#openShare(share);
      const id = onlySession(await library);
      const address = await placeInCopy(this.#world.ask, share, place);
      await this.#save();
      return {
        id: share.id,
        token,
        path: `${process.env.BACKSCROLL_BASE_PATH ?? ""}/sessions/${id}${address}`,
        expiresAtMs: share.expiresAtMs,
      };
    } catch (error) {
      this.#end(share.id);
      if (isViewerError(error) && error.code === "share-unwritable") throw unmade(error);
      throw isViewerError(error) || faultCode(error) === null ? error : unwritable(error);
    }
  }

  /**
   * Revokes a share: nothing is answered for it from now on, and its streams end. False if there is none. Throws
   * `share-unwritable` if it has ended and that cannot be stored, which is then tried again.
   */
  async revoke(id: string): Promise<boolean> {
    await this.#loaded;
    const known = this.#end(id);
    if (!known) return false;
    try {
      await this.#save();
    } catch (error) {
      this.#later.ask();
      throw error;
    }
    return true;
  }

  async #isSaved(): Promise<boolean> {
    try {
      await this.#save();
      return true;
    } catch (error) {
      if (isViewerError(error)) return false;
      throw error;
    }
  }

  /** The guest with this token; null for one that is invalid, or no longer valid. */
  async guest(token: string): Promise<Guest<Library> | null> {
    await this.#loaded;
    const hash = hashOf(token);
    const share = [...this.#shares.values()].find(({ tokenHash }) => tokenHash === hash);
    if (!share || share.expiresAtMs <= Date.now()) return null;
    this.#noteUse(share);
    return this.guestOf(share.id);
  }

  /** For the next server. If the time of the last use cannot be stored, the next change of a link reports that. */
  #noteUse(share: ShareRecord): void {
    const isFirst = share.lastUsedAtMs === null;
    share.lastUsedAtMs = Date.now();
    if (this.#noting && !isFirst) return;
    clearTimeout(this.#noting ?? undefined);
    const save = () => {
      this.#noting = null;
      this.#save().catch((error: unknown) => {
        if (!isViewerError(error)) console.error("Storing when a link was used failed:", error);
      });
    };
    this.#noting = setTimeout(save, isFirst ? 0 : NOTE_USE_MS).unref();
  }

  /** The guest with something that was issued for a share, such as a ticket for a download. */
  guestOf(id: string): Guest<Library> | null {
    const share = this.#shares.get(id);
    const end = this.#ends.get(id);
    if (!share || !end || share.expiresAtMs <= Date.now()) return null;
    return {
      ...{ shareId: id, sessionId: share.sessionId, comments: share.comments },
      redact: async (text) => {
        const { copied, library } = this.#openShare(share);
        await asGuest(library);
        return (await this.#world.ask({ kind: "redact", id: copied.id, text })).text;
      },
      signal: end.signal,
      library: async () => {
        const { copied, library } = this.#openShare(share);
        this.#follower.look(copied);
        return asGuest(library);
      },
      follow: () => {
        this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1);
        const looking = setInterval(() => {
          const open = this.#open.get(id);
          if (open) this.#follower.look(open.copied);
        }, LOOK_AT_REST_MS).unref();
        return () => {
          clearInterval(looking);
          this.#readers.set(id, (this.#readers.get(id) ?? 1) - 1);
          this.#rest(id);
        };
      },
    };
  }

  /**
   * The owner's position, in the ids of a share's guests; `null` if that is another session, or the share has ended. A
   * redacted share gets no path of a file, and no share a comparison, which may be with another session.
   */
  async positionFor(id: string, position: Position): Promise<Position | null> {
    const share = this.#shares.get(id);
    if (share?.sessionId !== position.sessionId) return null;
    try {
      const { copied, library } = this.#openShare(share);
      const sessionId = onlySession(await library);
      const { view } = position.shown;
      const known = { ...position.shown, ...NOT_COMPARED, view: view === "compare" ? null : view };
      const shown = share.redact ? { ...known, ...NO_FILE } : known;
      const own = JSON.stringify({ ...position, shown });
      const { text } = await this.#world.ask({ kind: "translate", id: copied.id, text: own });
      if (this.#shares.get(id) !== share) return null;
      return { ...(JSON.parse(text) as Position), sessionId };
    } catch (error) {
      if (isViewerError(error)) return null;
      throw error;
    }
  }

  /** Tells guests who may comment on a session that its comments have changed; `null`: perhaps any session's. */
  commentsChanged(sessionId: SessionId | null, tell: (library: Library, copied: SessionId) => void): void {
    for (const [id, { library }] of this.#open) {
      const share = this.#shares.get(id);
      if (!share?.comments || (sessionId !== null && share.sessionId !== sessionId)) continue;
      const nobody = () => null; // one that cannot be opened, of which its requests are told
      library
        .catch(nobody)
        .then((one) => one && tell(one, onlySession(one)))
        .catch((error: unknown) => {
          if (isViewerError(error)) return; // nothing of the copy can be read
          console.error("Telling guests that comments have changed failed:", error);
        });
    }
  }

  /** Something may have been written at this path. */
  touch(path: string): void {
    this.#follower.touch(path);
  }

  /** Ends all that is open by links, and removes the copies. The links themselves stay. */
  stop(): void {
    for (const id of [...this.#open.keys()]) this.#close(id);
    for (const end of this.#ends.values()) end.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    clearTimeout(this.#noting ?? undefined);
    this.#later.stop();
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * The share's library, which is opened if it is closed, and closed once nobody has asked for it for a while. Throws
   * `share-ended` to who is still being answered when it ends.
   */
  #openShare(share: ShareRecord): Open<Library> {
    if (this.#shares.get(share.id) !== share) throw shareEnded();
    this.#rest(share.id);
    const known = this.#open.get(share.id);
    if (known) return known;
    const copied: CopiedSession = {
      id: share.id,
      sessionId: share.sessionId,
      folder: join(this.#copies(), share.id),
      rules: null,
    };
    const library = this.#makeLibrary(share, copied);
    const open = { copied, library };
    this.#open.set(share.id, open);
    // The waiting request gets the reason; the next one tries again.
    library.catch(() => this.#open.get(share.id) === open && this.#open.delete(share.id));
    return open;
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

  /** Hashes of the secrets that the owner was shown under these names. */
  async #hashesOf(id: SessionId, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const { learned } = await this.#world.secrets.known(id);
    const wanted = new Set(names);
    return learned.secrets.flatMap(([value, rule, number]) =>
      wanted.has(`${rule} ${number}`) ? [hashOfSecret(value)] : [],
    );
  }

  #titleOf(id: SessionId): string | null {
    try {
      return this.#world.catalog.summary(id).title;
    } catch (error) {
      if (!isViewerError(error)) throw error;
      return null; // it is gone
    }
  }

  #add(share: ShareRecord): void {
    this.#shares.set(share.id, share);
    const ends = new AbortController();
    // Each answer that is being sent listens: past ten of them Node would warn of a leak.
    setMaxListeners(0, ends.signal);
    this.#ends.set(share.id, ends);
    this.#endInTime(share, performance.now() + share.expiresAtMs - Date.now());
  }

  /** Timers stand still while the machine sleeps, and its clock may be set back: what comes first ends the share. */
  #endInTime(share: ShareRecord, endsAtMs: number): void {
    if (this.#shares.get(share.id) !== share) return;
    const leftMs = Math.min(share.expiresAtMs - Date.now(), endsAtMs - performance.now());
    if (leftMs <= 0) this.revoke(share.id).catch((error: unknown) => console.error(error));
    else setTimeout(() => this.#endInTime(share, endsAtMs), Math.min(leftMs, LOOK_AT_CLOCK_MS)).unref();
  }

  #end(id: string): boolean {
    const known = this.#shares.delete(id);
    this.#ends.get(id)?.abort();
    this.#ends.delete(id);
    this.#readers.delete(id);
    this.#close(id);
    return known;
  }

  /** Closes a share's library. */
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

  /** The folder of this server's copies, for its user alone. Its path says nothing about the owner's folders. */
  #copies(): string {
    this.#folder ??= makeCopiesFolder();
    return this.#folder;
  }

  async #load(): Promise<void> {
    removeLeftCopies();
    const { shares, warning } = await this.#file.read();
    for (const share of shares) if (share.expiresAtMs > Date.now()) this.#add(share);
    if (warning) this.#world.lost?.(warning);
  }

  async #save(): Promise<void> {
    for (const id of await this.#file.save(() => [...this.#shares.values()])) this.#end(id);
  }
}

/** The share by which somebody asks is over, perhaps since they were answered. */
export function shareEnded(): ViewerError {
  return new ViewerError("share-ended", "This link has expired or was taken back", {
    status: 401,
    hint: "Ask whoever sent it for a new one.",
  });
}

/** What a guest's library is told of their link. The session's id, which may be its log's name, is its owner's alone. */
function accessOf({ redact: redacted, comments, expiresAtMs }: ShareRecord): Access {
  return { kind: "share", sessionId: null, redacted, comments, expiresAtMs };
}

/**
 * Why a link does not open, for its guest: what the owner is told may quote a pattern of theirs, or name their files.
 */
function unopened(cause: unknown): unknown {
  if (!isViewerError(cause) || cause.code === "session-not-found") return cause;
  return new ViewerError("session-unreadable", "The shared session cannot be opened now", {
    status: 409,
    hint: "Ask whoever sent the link: their Backscroll says why.",
    cause,
  });
}

/** Rejects with what a guest may know of why it did. */
function asGuest<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((error: unknown) => {
    throw unopened(error);
  });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function onlySession({ catalog }: Answering): SessionId {
  const [only] = catalog.summaries();
  if (only) return only.id;
  throw new ViewerError(
    "session-unreadable",
    "Nothing of this session can be read, so there is nothing to share",
    {
      status: 409,
      hint: "Look at its files in the diagnostics.",
    },
  );
}

/** A link that is not written down does not open after a restart. */
function unmade({ status, cause }: ViewerError): ViewerError {
  return new ViewerError("share-unwritable", "The link cannot be written down, so it was not made", {
    status,
    hint: "Check the room in the data folder, and who may write it.",
    cause,
  });
}

function unwritable(cause: unknown): ViewerError {
  return new ViewerError("share-unwritable", "The copy of the session that a link opens cannot be written", {
    status: 409,
    hint: "Check the room on the disk of the system’s temporary folder.",
    cause,
  });
}
