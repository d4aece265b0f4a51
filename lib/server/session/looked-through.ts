import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import { countedSessions } from "@/lib/server/library/project-totals";
import { type SessionFiles, signatureOf } from "@/lib/server/library/session-files";
import { inOrderOfBeginning } from "@/lib/server/library/usage";
import { isThreadNotStarted } from "@/lib/server/runtime/thread-starts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { scanRequest } from "@/lib/server/scan/scan-request";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";

/** A session that is to be looked through. `index`: where an index may hold it already. */
export type LookTask = { files: SessionFiles; request: ScanRequest; index: string | null };

/** Looks through a session: in the server on a thread of its own, in tests in this one. */
export type LookThrough<Found> = (task: LookTask) => Promise<Found>;

/** How long an answer waits for sessions that have not been looked through yet. */
const PATIENCE_MS = 100;
/** Reading continues for this long after the last answer that was incomplete. */
const INTEREST_MS = 10_000;

type Known<Found> = { signature: string; found: Found };

/**
 * What was found in each session. A session is looked through when it is first asked for, and again only after one of
 * its logs has changed.
 */
export class LookedThrough<Found> {
  readonly #catalog: Catalog;
  readonly #look: LookThrough<Found>;
  readonly #nothing: Found;
  readonly #indexPath: () => string | null;
  readonly #known = new Map<SessionId, Known<Found>>();
  #wanted: SessionFiles[] = [];
  #wantedUntilMs = 0;
  #reading: Promise<void> | null = null;

  /** @param nothing what is in a session whose log cannot be read: the library says so of it */
  constructor(catalog: Catalog, look: LookThrough<Found>, nothing: Found, indexPath: () => string | null) {
    this.#catalog = catalog;
    this.#look = look;
    this.#nothing = nothing;
    this.#indexPath = indexPath;
  }

  /**
   * Has these sessions looked through, in this order, and waits a moment for it. Those that are being read for the first
   * time are left for a later request. Throws what is no ViewerError.
   */
  async want(sessions: readonly SessionSummary[], totals: LibraryTotals): Promise<void> {
    this.#wanted = sessions
      .filter(({ id }) => totals.has(id) && !this.isKnown(id))
      .map(({ id }) => this.#catalog.sessionFiles(id))
      .reverse();
    this.#wantedUntilMs = performance.now() + INTEREST_MS;
    if (this.#wanted.length === 0) return;
    const reading = this.#reading ?? this.#readWanted();
    this.#reading = reading;
    // A waiting request sees the failure; without one, it must not end the process.
    reading
      .catch(() => undefined)
      .finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
    await Promise.race([reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  /** What was found in a session, perhaps before it last changed; `undefined` if it has not been looked through. */
  of(id: SessionId): Found | undefined {
    return this.#known.get(id)?.found;
  }

  /** Whether a session has been looked through as it is now. */
  isKnown(id: SessionId): boolean {
    return this.#known.get(id)?.signature === signatureOf(this.#catalog.sessionFiles(id));
  }

  /** Looks through the wanted sessions, the last one first, for as long as somebody asks. */
  async #readWanted(): Promise<void> {
    this.#forgetGone();
    for (let files = this.#wanted.pop(); files; files = this.#wanted.pop()) {
      if (performance.now() > this.#wantedUntilMs) return;
      // It may have been asked for again while it was being read.
      if (this.#known.get(files.id)?.signature === signatureOf(files)) continue;
      const task = { files, request: await scanRequest(files), index: this.#indexPath() };
      const found = await this.#look(task).catch((error: unknown) => {
        if (!isViewerError(error) || isThreadNotStarted(error)) throw error;
        return this.#nothing;
      });
      this.#known.set(files.id, { signature: signatureOf(files), found });
    }
  }

  #forgetGone(): void {
    const listed = new Set(this.#catalog.summaries().map(({ id }) => id));
    for (const id of this.#known.keys()) if (!listed.has(id)) this.#known.delete(id);
  }
}

/** The sessions of the library that count, in the order in which they began. */
export function countedInOrder(catalog: Catalog, totals: LibraryTotals): SessionSummary[] {
  const counted = new Set(countedSessions(catalog, totals));
  return inOrderOfBeginning(
    catalog,
    catalog.summaries().filter(({ id }) => counted.has(id)),
  );
}

/** Whether a session may hold anything of a project and from one moment up to another. */
export function isInRange(
  { projectId, startedAtMs, lastActiveAtMs }: SessionSummary,
  { project, fromMs, toMs }: { project: string | null; fromMs: number | null; toMs: number | null },
): boolean {
  return (
    (project === null || projectId === project) &&
    !(fromMs !== null && (lastActiveAtMs ?? fromMs) < fromMs) &&
    !(toMs !== null && (startedAtMs ?? 0) >= toMs)
  );
}

/** The costliest sessions first. */
export function dearestSessionsFirst(a: SessionSummary, b: SessionSummary): number {
  return (b.cost?.microUsd ?? 0) - (a.cost?.microUsd ?? 0);
}
