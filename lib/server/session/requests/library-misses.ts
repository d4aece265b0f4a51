import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { addTo } from "@/lib/format/lists";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import { countedSessions } from "@/lib/server/library/project-totals";
import { type SessionFiles, signatureOf } from "@/lib/server/library/session-files";
import { inOrderOfBeginning } from "@/lib/server/library/usage";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import { scanRequest } from "@/lib/server/scan/scan-request";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { MissCause } from "@/lib/wire/model-requests/session-requests";
import type { LibraryMiss, MissSums, UsageMiss, UsageMissesResponse } from "@/lib/wire/usage";

/** A query: from one moment up to another, of one project, without agents, of one cause. */
export type MissesQuery = {
  project: string | null;
  fromMs: number | null;
  toMs: number | null;
  agents: boolean;
  cause: MissCause | null;
  limit: number;
};

/** A session whose misses are wanted. `index`: where an index may hold it already. */
export type MissesTask = { files: SessionFiles; request: ScanRequest; index: string | null };

/** Reads the misses of a session: in the server on a thread of its own, in tests in this one. */
export type ReadMisses = (task: MissesTask) => Promise<LibraryMiss[]>;

/** A thread that reads one session after another. */
export function startMissesThread(): ReadMisses {
  const thread = new WorkerThread<MissesTask, LibraryMiss[], never>(
    () =>
      new Worker(new URL("./misses.worker.ts", import.meta.url), {
        workerData: archiveData(),
        resourceLimits: { maxYoungGenerationSizeMb: 16 },
      }),
  );
  return (task) => thread.ask(task);
}

/** How long an answer waits for sessions that have not been looked through yet. */
const PATIENCE_MS = 100;
/** Reading continues for this long after the last answer that was incomplete. */
const INTEREST_MS = 10_000;

type Known = { signature: string; misses: readonly LibraryMiss[] };

/**
 * The requests of all sessions that missed the cache. Finding a session's misses requires all of its requests, so they
 * are found when they are first asked for, the most expensive sessions first, and cached until one of its logs changes.
 */
export class LibraryMisses {
  readonly #catalog: Catalog;
  readonly #read: ReadMisses;
  readonly #indexPath: () => string | null;
  readonly #known = new Map<SessionId, Known>();
  #wanted: SessionFiles[] = [];
  #wantedUntilMs = 0;
  #reading: Promise<void> | null = null;

  constructor(catalog: Catalog, read: ReadMisses, indexPath: () => string | null = () => null) {
    this.#catalog = catalog;
    this.#read = read;
    this.#indexPath = indexPath;
  }

  /** What is known by now; `complete` once every session in the range has been looked through. */
  async answer(totals: LibraryTotals, query: MissesQuery): Promise<UsageMissesResponse> {
    const wasListed = this.#catalog.listed;
    const all = this.#counted(totals);
    const sessions = all.filter((session) => mayHold(session, query));
    // A session that is being read for the first time is searched afterwards.
    const read = sessions.filter(({ id }) => totals.has(id));
    this.#wanted = read
      .filter(({ id }) => !this.#isKnown(id))
      .sort((a, b) => (a.cost?.microUsd ?? 0) - (b.cost?.microUsd ?? 0))
      .map(({ id }) => this.#catalog.sessionFiles(id));
    this.#wantedUntilMs = performance.now() + INTEREST_MS;
    if (this.#wanted.length > 0) {
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
    const told = this.#told(totals, { all, sessions }, query);
    // The session that contains a message first is known once all have been listed and read.
    const isAll = wasListed && all.every(({ id }) => totals.has(id));
    return { ...told, complete: told.complete && isAll };
  }

  /** The sessions of the library, in the order in which they began. */
  #counted(totals: LibraryTotals): SessionSummary[] {
    const counted = new Set(countedSessions(this.#catalog, totals));
    return inOrderOfBeginning(
      this.#catalog,
      this.#catalog.summaries().filter(({ id }) => counted.has(id)),
    );
  }

  #isKnown(id: SessionId): boolean {
    return this.#known.get(id)?.signature === signatureOf(this.#catalog.sessionFiles(id));
  }

  /** Reads the wanted sessions, the last one first, for as long as somebody asks. */
  async #readWanted(): Promise<void> {
    for (let files = this.#wanted.pop(); files; files = this.#wanted.pop()) {
      if (performance.now() > this.#wantedUntilMs) return;
      // It may have been asked for again while it was being read.
      if (this.#known.get(files.id)?.signature === signatureOf(files)) continue;
      const task = { files, request: await scanRequest(files), index: this.#indexPath() };
      const misses = await this.#read(task).catch((error: unknown) => {
        if (!isViewerError(error)) throw error;
        // Its log cannot be read: the library says so.
        return [];
      });
      this.#known.set(files.id, { signature: signatureOf(files), misses });
    }
  }

  #told(
    totals: LibraryTotals,
    { all, sessions }: { all: readonly SessionSummary[]; sessions: readonly SessionSummary[] },
    query: MissesQuery,
  ): UsageMissesResponse {
    const [from, to] = [query.fromMs ?? Number.NEGATIVE_INFINITY, query.toMs ?? Number.POSITIVE_INFINITY];
    const known = sessions.flatMap((session) => {
      const { misses } = this.#known.get(session.id) ?? {};
      return misses ? [{ session, misses }] : [];
    });
    // A copy counts in the session that began first, of whichever project that is: as its usage does.
    const holders = totals.firstHolders(
      all.map(({ id }) => id),
      known.flatMap(({ misses }) => misses.map(({ key }) => key)),
    );
    const found: { session: SessionSummary; miss: LibraryMiss }[] = [];
    for (const { session, misses } of known)
      for (const miss of misses) {
        if ((holders.get(miss.key) ?? session.id) !== session.id) continue;
        const atMs = miss.atMs ?? 0;
        if (atMs >= from && atMs < to && (query.agents || miss.agentId === null))
          found.push({ session, miss });
      }
    const shown = query.cause === null ? found : found.filter(({ miss }) => miss.cause === query.cause);
    return {
      causes: byCause(found.map(({ miss }) => miss)),
      totals: sumOf(found.map(({ miss }) => miss)),
      misses: shown
        .sort((a, b) => dearestFirst(a.miss, b.miss))
        .slice(0, query.limit)
        .map(({ session, miss }) => toWire(session, miss)),
      sessions: { done: known.length, total: sessions.length },
      pricesAsOf: pricesInUse().table.asOf,
      complete: sessions.every(({ id }) => this.#isKnown(id)),
    };
  }
}

/** Whether a session may contain any of the requested misses. */
function mayHold(
  { projectId, startedAtMs, lastActiveAtMs }: SessionSummary,
  { project, fromMs, toMs }: MissesQuery,
): boolean {
  return (
    (project === null || projectId === project) &&
    !(fromMs !== null && (lastActiveAtMs ?? fromMs) < fromMs) &&
    !(toMs !== null && (startedAtMs ?? 0) >= toMs)
  );
}

function toWire(
  { id, title, projectId }: SessionSummary,
  { recordId, agentId, atMs, model, cause, lostTokens, microUsd, exact }: LibraryMiss,
): UsageMiss {
  const of = { sessionId: id, title, projectId };
  return { ...of, recordId, agentId, atMs, model, cause, lostTokens, microUsd, exact };
}

/** Misses without a price come after the others, ordered by tokens. */
function dearestFirst(a: LibraryMiss, b: LibraryMiss): number {
  return (b.microUsd ?? -1) - (a.microUsd ?? -1) || b.lostTokens - a.lostTokens || (a.key < b.key ? -1 : 1);
}

function byCause(misses: readonly LibraryMiss[]): UsageMissesResponse["causes"] {
  const groups = new Map<MissCause, LibraryMiss[]>();
  for (const miss of misses) {
    addTo(groups, miss.cause, miss);
  }
  return [...groups]
    .map(([cause, own]) => ({ cause, ...sumOf(own) }))
    .sort((a, b) => (b.microUsd ?? -1) - (a.microUsd ?? -1) || b.lostTokens - a.lostTokens);
}

function sumOf(misses: readonly LibraryMiss[]): MissSums {
  const sum = { requests: misses.length, lostTokens: 0, unpricedTokens: 0 };
  let microUsd = 0;
  for (const miss of misses) {
    sum.lostTokens += miss.lostTokens;
    microUsd += miss.microUsd ?? 0;
    if (miss.microUsd === null) sum.unpricedTokens += miss.lostTokens;
  }
  return { ...sum, microUsd: microUsd === 0 && sum.unpricedTokens > 0 ? null : microUsd };
}
