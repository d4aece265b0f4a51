import { setImmediate as nextTurn } from "node:timers/promises";
import type { Scans } from "@/lib/server/index/scan-pool";
import { bytesOf, type SessionFiles } from "@/lib/server/library/session-files";
import { progressOf, resultSoon } from "@/lib/server/runtime/patience";
import { scanRequest } from "@/lib/server/scan/scan-request";
import type { SessionId } from "@/lib/wire/ids";
import type { ScanProgress } from "@/lib/wire/session";
import { type Growth, IncrementalSession, MAX_STEPS } from "./growing-session";
import { logsRead } from "./logs-read";
import { nextRevision, OpenSession } from "./open-session";
import { MAX_BEGINNING_BYTES, readBeginning } from "./session-beginning";

/** Memory for open sessions with everything laid out of them, in bytes: about 300,000 records. */
const MAX_BYTES = 64 << 20;

/** Minimum interval between two checks whether a session's files have changed, where nobody says that they have. */
const LOOK_EVERY_MS = 500;
const NEVER_MS = Number.NEGATIVE_INFINITY;

type Source = { sessionFiles(id: SessionId): SessionFiles; refresh(id: SessionId): Promise<SessionFiles> };

type Entry = {
  session: OpenSession | null;
  /** Continues reading where `session` ends. */
  growing: IncrementalSession | null;
  scanning: Promise<OpenSession> | null;
  /** The beginning of a session during its first scan, for requests that do not wait for all of it. */
  beginning: Promise<OpenSession> | null;
  bytesDone: number;
  bytesTotal: number;
  lookedAtMs: number;
};

/** The sessions that readers have open; the least recently used is evicted first. */
export class SessionCache {
  readonly #source: Source;
  readonly #scans: Scans;
  readonly #entries = new Map<SessionId, Entry>();
  readonly #keepBytes: number;

  /** @param keepBytes memory for all kept sessions; the requested session stays, however large */
  constructor(source: Source, scans: Scans, keepBytes = MAX_BYTES) {
    this.#source = source;
    this.#scans = scans;
    this.#keepBytes = keepBytes;
  }

  /** Approximate memory of the kept sessions. */
  get bytes(): number {
    let bytes = 0;
    for (const entry of this.#entries.values()) bytes += memoryOf(entry);
    return bytes;
  }

  /**
   * The session, with appended lines read if its files have grown and scanned again if they were replaced; or the
   * progress of its first scan where that takes longer. While a changed session is scanned again, the old state answers.
   * Throws `session-not-found` and what `openConfined` throws.
   */
  async open(id: SessionId): Promise<OpenSession | ScanProgress> {
    const entry = this.#entry(id);
    await this.#check(id, entry);
    if (entry.session && !entry.scanning) return entry.session;
    const scanning = entry.scanning as Promise<OpenSession>;
    return (await resultSoon(scanning)) ?? entry.session ?? progressOf(entry);
  }

  /**
   * The session after an answer found that a log is no longer as it was read: checked at once, and never in its old
   * state, where `open` would answer with that. Throws as `open`.
   */
  async reopen(id: SessionId): Promise<OpenSession | ScanProgress> {
    const entry = this.#entry(id);
    entry.lookedAtMs = NEVER_MS;
    await this.#check(id, entry);
    if (!entry.scanning) return entry.session as OpenSession;
    return (await resultSoon(entry.scanning)) ?? progressOf(entry);
  }

  /** The session, for answers that are bytes and cannot carry progress: waits for the scan. Throws as `open`. */
  async opened(id: SessionId): Promise<OpenSession> {
    for (;;) {
      const session = await this.open(id);
      if (session instanceof OpenSession) return session;
    }
  }

  /**
   * The beginning of a large session during its first scan, without waiting for that; null for a session that is open,
   * or will be in a moment. Throws as `open`.
   */
  async beginning(id: SessionId): Promise<(ScanProgress & { session: OpenSession }) | null> {
    const entry = this.#entry(id);
    await this.#check(id, entry);
    if (entry.session || entry.bytesTotal <= MAX_BEGINNING_BYTES) return null;
    const files = this.#source.sessionFiles(id);
    if (files.main.gone) return null;
    entry.beginning ??= readBeginning(files);
    const session = await entry.beginning;
    return { ...progressOf(entry), session };
  }

  /** The current state of the session's files, for live reading: checks at once, and waits for the scan. Throws as `open`. */
  async latest(id: SessionId): Promise<OpenSession> {
    const entry = this.#entry(id);
    // A scan in progress may have begun before the latest lines were written.
    await entry.scanning?.catch(() => undefined);
    entry.lookedAtMs = NEVER_MS;
    await this.#check(id, entry);
    return entry.scanning ?? (entry.session as OpenSession);
  }

  /** Something was written to the session's files: the next request gets it, however recently they were checked. */
  changed(id: SessionId): void {
    const entry = this.#entries.get(id);
    if (entry) entry.lookedAtMs = NEVER_MS;
  }

  #entry(id: SessionId): Entry {
    const known = this.#entries.get(id) ?? {
      session: null,
      growing: null,
      scanning: null,
      beginning: null,
      bytesDone: 0,
      bytesTotal: 0,
      lookedAtMs: NEVER_MS,
    };
    this.#entries.delete(id);
    this.#entries.set(id, known);
    // Each answer may have laid out more of a session than existed after its scan.
    this.#evict();
    return known;
  }

  async #check(id: SessionId, entry: Entry): Promise<void> {
    if (entry.scanning || (entry.session && performance.now() - entry.lookedAtMs < LOOK_EVERY_MS)) return;
    entry.lookedAtMs = performance.now();
    let files = this.#source.sessionFiles(id);
    const { growing } = entry;
    if (growing) {
      const growth = grow(entry, growing, files);
      if (growth === "current") return;
      if (growth === "behind") return this.#during(id, entry, this.#catchUp(id, entry));
      files = await this.#source.refresh(id);
    }
    if (entry.scanning) return;
    entry.bytesDone = 0;
    entry.bytesTotal = bytesOf(files);
    this.#during(id, entry, this.#scan(entry, files));
  }

  #during(id: SessionId, entry: Entry, scanning: Promise<OpenSession>): void {
    entry.scanning = scanning;
    // A waiting request sees the failure; without one, the rejection must not end the process.
    scanning
      .catch(() => undefined)
      .finally(() => {
        entry.scanning = null;
        entry.beginning = null;
        if (!entry.session) this.#entries.delete(id);
        this.#evict();
      });
  }

  /**
   * Reads on in a session that has grown a lot: everything that was there when it began, whatever is written meanwhile.
   */
  async #catchUp(id: SessionId, entry: Entry): Promise<OpenSession> {
    let growth: Growth = "behind";
    for (let step = 0; step < MAX_STEPS && entry.growing && growth === "behind"; step++) {
      await nextTurn();
      growth = grow(entry, entry.growing, this.#source.sessionFiles(id));
    }
    return entry.growing ? (entry.session as OpenSession) : this.#scan(entry, await this.#source.refresh(id));
  }

  async #scan(entry: Entry, files: SessionFiles): Promise<OpenSession> {
    const request = await scanRequest(files);
    const noteProgress = (bytesDone: number) => {
      entry.bytesDone = bytesDone;
    };
    const scanned = await this.#scans.scan(request, noteProgress, bytesOf(files));
    const read = logsRead(scanned.files);
    entry.session = new OpenSession(files, request.logs, { ...scanned, read }, nextRevision(entry.session));
    entry.growing = new IncrementalSession(entry.session, read);
    return entry.session;
  }

  #evict(): void {
    let kept = this.bytes;
    let left = this.#entries.size;
    for (const [id, entry] of this.#entries) {
      left -= 1;
      if (kept <= this.#keepBytes || left === 0) return;
      if (!entry.session || entry.scanning) continue;
      kept -= memoryOf(entry);
      this.#entries.delete(id);
    }
  }
}

/** Makes an open session read on. One that fails to grow for any reason is scanned the next time. */
function grow(entry: Entry, growing: IncrementalSession, files: SessionFiles): Growth {
  entry.growing = null;
  const growth = growing.grow(files);
  if (growth === "lost") return growth;
  entry.growing = growing;
  entry.session = growing.session;
  return growth;
}

/** Without the beginning, which is there only for as long as the first scan. */
function memoryOf({ session }: Entry): number {
  return session?.bytes ?? 0;
}
