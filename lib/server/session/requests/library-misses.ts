import { Worker } from "node:worker_threads";
import { addTo } from "@/lib/format/lists";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { SessionSummary } from "@/lib/wire/library";
import type { MissCause } from "@/lib/wire/model-requests/session-requests";
import type { LibraryMiss, MissSums, UsageMiss, UsageMissesResponse } from "@/lib/wire/usage";
import {
  countedInOrder,
  dearestSessionsFirst,
  isInRange,
  LookedThrough,
  type LookTask,
  type LookThrough,
} from "../looked-through";

/** A query: from one moment up to another, of one project, without agents, of one cause. */
export type MissesQuery = {
  project: string | null;
  fromMs: number | null;
  toMs: number | null;
  agents: boolean;
  cause: MissCause | null;
  limit: number;
};

/** A thread that finds the misses of one session after another. */
export function startMissesThread(): LookThrough<LibraryMiss[]> {
  const thread = new WorkerThread<LookTask, LibraryMiss[], never>(
    () =>
      new Worker(new URL("./misses.worker.ts", import.meta.url), {
        workerData: archiveData(),
        resourceLimits: { maxYoungGenerationSizeMb: 16 },
      }),
  );
  return (task) => thread.ask(task);
}

/**
 * The requests of all sessions that missed the cache. Finding a session's misses requires all of its requests, so they
 * are found when they are first asked for, the most expensive sessions first.
 */
export class LibraryMisses {
  readonly #catalog: Catalog;
  readonly #sessions: LookedThrough<LibraryMiss[]>;

  constructor(
    catalog: Catalog,
    look: LookThrough<LibraryMiss[]>,
    indexPath: () => string | null = () => null,
  ) {
    this.#catalog = catalog;
    this.#sessions = new LookedThrough(catalog, look, [], indexPath);
  }

  /** What is known by now; `complete` once every session in the range has been looked through. */
  async answer(totals: LibraryTotals, query: MissesQuery): Promise<UsageMissesResponse> {
    const wasListed = this.#catalog.listed;
    const all = countedInOrder(this.#catalog, totals);
    const sessions = all.filter((session) => isInRange(session, query));
    await this.#sessions.want(sessions.toSorted(dearestSessionsFirst), totals);
    const told = this.#told(totals, { all, sessions }, query);
    // The session that contains a message first is known once all have been listed and read.
    const isAll = wasListed && all.every(({ id }) => totals.has(id));
    return { ...told, complete: told.complete && isAll };
  }

  #told(
    totals: LibraryTotals,
    { all, sessions }: { all: readonly SessionSummary[]; sessions: readonly SessionSummary[] },
    query: MissesQuery,
  ): UsageMissesResponse {
    const [from, to] = [query.fromMs ?? Number.NEGATIVE_INFINITY, query.toMs ?? Number.POSITIVE_INFINITY];
    const known = sessions.flatMap((session) => {
      const misses = this.#sessions.of(session.id);
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
      complete: sessions.every(({ id }) => this.#sessions.isKnown(id)),
    };
  }
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
