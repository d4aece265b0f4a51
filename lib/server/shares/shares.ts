import { createHash, randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import { faultCode } from "@/lib/server/disk/file-fault";
import { SaveLater } from "@/lib/server/runtime/save-later";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { Position } from "@/lib/wire/presence";
import type { ShareBody } from "@/lib/wire/requests/shares";
import type { Checked } from "@/lib/wire/requests/values";
import { type CreatedShare, SHARE_TOKEN_START, type Share } from "@/lib/wire/shares";
import { removeLeftCopies } from "./copies-folder";
import { hashOfSecret } from "./copy-redaction";
import { LinkUses } from "./link-uses";
import { type Answering, OpenedCopies, type OpenedCopy, type ShareWorld } from "./opened-copies";
import { placeInCopy, positionInCopy } from "./place-in-copy";
import { ShareFile, type ShareRecord } from "./share-file";

const MAX_SHARES = 100;
const LOOK_AT_CLOCK_MS = 60_000;
/** The interval at which the time of a share's last use is stored. */
const NOTE_USE_MS = 60_000;

/** A visitor with a share's token. */
export type Guest<Library> = {
  shareId: string;
  /** The session as its owner knows it. */
  sessionId: SessionId;
  /** They may read and write comments. */
  comments: boolean;
  /** A text of the owner's about the session, as the guest may read it. */
  redact: (text: string) => Promise<string>;
  /** Aborts when the share ends. */
  signal: AbortSignal;
  /** The library with the one session that they see. */
  library(): Promise<Library>;
  /** Counts that they have opened a page, which calls itself so; null for who says nothing. */
  opened(page: string | null): void;
  /** Counts a stream of theirs until the returned function is called. */
  follow(): () => void;
};

/**
 * The links with which other people may read single sessions. Each reads a copy of its own, which contains that session
 * and nothing else: what a guest must not see does not exist for them. Tokens are stored as hashes.
 */
export class Shares<Library extends Answering> {
  readonly #world: ShareWorld<Library>;
  readonly #file: ShareFile;
  readonly #shares = new Map<string, ShareRecord>();
  readonly #ends = new Map<string, AbortController>();
  readonly #opened: OpenedCopies<Library>;
  readonly #uses: LinkUses;
  readonly #loaded: Promise<void>;
  /** What was taken back must not open again after a restart, because the disk was full for a moment. */
  readonly #later = new SaveLater(() => this.#isSaved());
  #noting: NodeJS.Timeout | null = null;

  constructor(world: ShareWorld<Library>) {
    this.#world = world;
    this.#opened = new OpenedCopies(world);
    this.#file = new ShareFile(world.dataDir);
    this.#uses = new LinkUses(world.dataDir);
    this.#loaded = this.#load();
  }

  /** The shares that are still valid, the newest first. */
  async list(): Promise<Share[]> {
    await this.#loaded;
    const shares = [...this.#shares.values()].filter(({ expiresAtMs }) => expiresAtMs > Date.now());
    return shares
      .sort((a, b) => b.createdAtMs - a.createdAtMs)
      .map(({ id, sessionId, redact, without, comments, createdAtMs, expiresAtMs, lastUsedAtMs }) => ({
        ...{ id, sessionId, redacted: redact, without, comments, createdAtMs, expiresAtMs, lastUsedAtMs },
        title: this.#titleOf(sessionId),
        openings: this.#uses.of(id)?.openings ?? null,
        lastOpenedAtMs: this.#uses.of(id)?.lastOpenedAtMs ?? null,
        readers: this.#opened.readersOf(id),
      }));
  }

  /** Shares a session. Throws ViewerErrors: `session-not-found`, `too-many-shares`, `share-unwritable`, `bad-pattern`. */
  async create({
    sessionId,
    expiresInMs,
    redact,
    except,
    without,
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
      ...{ redact, without, comments },
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
      this.#uses.begin(share);
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
        const { library } = this.#openShare(share);
        this.#opened.look(id);
        return asGuest(library);
      },
      opened: (page) => this.#uses.opened(share, page),
      follow: () => this.#opened.follow(id),
    };
  }

  /**
   * The owner's position, in the ids and words of a share's guests; `null` if that is another session, or an agent's thread
   * where the share has none, or the share has ended.
   */
  async positionFor(id: string, owners: Position): Promise<Position | null> {
    const share = this.#shares.get(id);
    if (share?.sessionId !== owners.sessionId) return null;
    try {
      const { library } = this.#openShare(share);
      const sessionId = onlySession(await library);
      const position = await positionInCopy(this.#world.ask, share, owners);
      if (this.#shares.get(id) !== share) return null;
      return position && { ...position, sessionId };
    } catch (error) {
      if (isViewerError(error)) return null;
      throw error;
    }
  }

  /** Tells guests who may comment on a session that its comments have changed; `null`: perhaps any session's. */
  commentsChanged(sessionId: SessionId | null, tell: (library: Library, copied: SessionId) => void): void {
    for (const [id, { library }] of this.#opened.all()) {
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
    this.#opened.touch(path);
  }

  /** Ends all that is open by links, and removes the copies. The links themselves stay. */
  stop(): void {
    for (const end of this.#ends.values()) end.abort();
    this.#opened.stop();
    clearTimeout(this.#noting ?? undefined);
    this.#later.stop();
  }

  /** The copy of a share. Throws `share-ended` to who is still being answered when it ends. */
  #openShare(share: ShareRecord): OpenedCopy<Library> {
    if (this.#shares.get(share.id) !== share) throw shareEnded();
    return this.#opened.of(share);
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
    // The clock may have been ahead when it was made.
    const leftMs = Math.min(share.expiresAtMs - Date.now(), share.expiresAtMs - share.createdAtMs);
    this.#endInTime(share, performance.now() + leftMs);
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
    this.#opened.end(id);
    if (known) this.#uses.ended(id);
    return known;
  }

  async #load(): Promise<void> {
    removeLeftCopies();
    const { shares, warning } = await this.#file.read();
    for (const share of shares) if (share.expiresAtMs > Date.now()) this.#add(share);
    await this.#uses.load();
    // Whoever has not asked for anything has not opened it.
    for (const share of this.#shares.values()) if (share.lastUsedAtMs === null) this.#uses.begin(share);
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

/**
 * Why a link does not open, for its guest: what the owner is told may quote a pattern of theirs, or name their files.
 */
function unopened(cause: unknown): unknown {
  if (!isViewerError(cause)) return cause;
  if (cause.code === "session-not-found")
    return new ViewerError(cause.code, "The shared session is no longer there", {
      hint: "Ask whoever sent the link: its log was deleted or moved.",
      cause,
    });
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
function unmade({ status, path, cause }: ViewerError): ViewerError {
  return new ViewerError("share-unwritable", "The link cannot be saved, so it was not created", {
    status,
    hint: "Check the room in the data folder, and who may write it.",
    path,
    cause,
  });
}

function unwritable(cause: unknown): ViewerError {
  return new ViewerError("share-unwritable", "The copy of the session that a link opens cannot be written", {
    status: 409,
    hint: "Check the room on the disk of the system’s temporary folder.",
    path: tmpdir(),
    cause,
  });
}
