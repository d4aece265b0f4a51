import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { addTo } from "@/lib/format/lists";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import { bytesOf, type SessionFiles } from "@/lib/server/library/session-files";
import { resultSoon } from "@/lib/server/runtime/patience";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { OwnLineChange } from "@/lib/server/session/files/line-change";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { SearchRequest } from "@/lib/wire/requests/search";
import type { Checked } from "@/lib/wire/requests/values";
import type { Detail } from "@/lib/wire/rows";
import type { HitPlace, HitState, SearchEvent, SearchResponse } from "@/lib/wire/search";
import { readAskedQuery } from "./asked-query";
import { FoundRecords } from "./found-records";
import { slowProblems } from "./regex-watch";
import type { SearchLimits } from "./search-allowance";
import { decodeCursor, encodeCursor, firstCursor, type SearchCursor } from "./search-cursor";
import { type AskThread, type Found, type SearchedWorld, SearchThreads } from "./search-threads";
import {
  type HitName,
  type NamedHit,
  type SearchAnswer,
  type SearchStart,
  type SearchTask,
  SearchWorker,
} from "./search-worker";

export type SearchQuery = Omit<Checked<typeof SearchRequest>, "zone" | "here"> & {
  zone?: string | null;
  /** The session that is open where it is asked, if not the one that is searched. */
  here?: SessionId | null;
};

/** Executes searches. */
export type Search = {
  /** A page of hits within a second. Throws `bad-cursor`, and `too-much-searched` where there are limits. */
  page(query: SearchQuery): Promise<SearchResponse>;
  /**
   * Hits as they are found, until everything has been searched, the maximum is reached, nothing is left of an allowance, or
   * the signal aborts. Throws `bad-cursor` and `too-much-searched` at once: an answer that has begun has its status.
   */
  events(query: Omit<SearchQuery, "limit">, signal: AbortSignal): AsyncGenerator<SearchEvent>;
  /** Every record of a session in which something is found, of the fields that a detail shows. */
  records(query: { q: string; session: SessionId; detail: Detail }, signal: AbortSignal): Promise<RecordId[]>;
  /** The positions of hits in their sessions. */
  places(hits: readonly HitName[]): Promise<(HitPlace | null)[]>;
  /** The states of hits, as `is:` asks for them; none of one that is gone. */
  states(hits: readonly NamedHit[]): Promise<HitState[][]>;
  /**
   * What the calls that were found did to a line of their files; `null` for one that does not contain the line, or is
   * gone.
   */
  lineChanges(hits: readonly HitName[], line: string): Promise<(OwnLineChange | null)[]>;
  stop(): void;
};

/** Maximum time of a request, including reading and sending. */
const PAGE_BUDGET_MS = 800;
const EVENT_BUDGET_MS = 80;
const EVENT_HITS = 200;
/** A page that receives every hit of `e` would run out of memory. It can ask for more. */
const MAX_STREAMED = 5000;
/** More threads would wait for the disk, or slow down other programs. */
const MAX_THREADS = 4;

/**
 * Searches on worker threads, one for each core up to four; with limits on a single one, which stands behind all others.
 * @param listed settles when all sessions are known: before that no search is complete
 */
export function startSearch(
  world: SearchedWorld,
  listed: Promise<unknown>,
  limits: SearchLimits | null = null,
): Search {
  const threads = Array.from({ length: limits ? 1 : Math.min(MAX_THREADS, availableParallelism()) }, () => {
    const thread = new WorkerThread<SearchTask, SearchAnswer, never>(
      () =>
        new Worker(new URL("./search.worker.ts", import.meta.url), {
          workerData: { ...archiveData(), isLimited: limits !== null },
          // A low limit causes early collections: gigabytes of log windows pass through here.
          resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
        }),
    );
    return { ask: (task: SearchTask) => thread.ask(task), stop: () => thread.stop() };
  });
  return new SharedSearch(world, listed, threads, limits);
}

/** Searches on this thread, for tests; in two parts, like the server. */
export function openSearch(
  world: SearchedWorld,
  listed: Promise<unknown> = Promise.resolve(),
  limits: SearchLimits | null = null,
): Search {
  const threads = Array.from({ length: 2 }, () => {
    const worker = new SearchWorker();
    return { ask: (task: SearchTask) => worker.do(task), stop: () => worker.close() };
  });
  return new SharedSearch(world, listed, threads, limits);
}

/** A search of which each thread has its share. */
class SharedSearch implements Search {
  readonly #world: SearchedWorld;
  readonly #isListed: Promise<true>;
  readonly #threads: SearchThreads;
  readonly #limits: SearchLimits | null;
  readonly #found = new FoundRecords();
  readonly stop: () => void;

  constructor(
    world: SearchedWorld,
    listed: Promise<unknown>,
    threads: readonly { ask: AskThread; stop: () => void }[],
    limits: SearchLimits | null,
  ) {
    this.#world = world;
    // Where the listing fails, its readers are told, and what is known is searched.
    this.#isListed = listed.then(
      () => true,
      () => true,
    );
    const asked = threads.map(({ ask }) => ask);
    this.#threads = new SearchThreads(world, asked, (ms) => limits?.allowance.spend(ms));
    this.#limits = limits;
    this.stop = () => {
      for (const { stop } of threads) stop();
    };
  }

  async page({
    q,
    project,
    session,
    here = session,
    zone = null,
    limit,
    cursor: from,
  }: SearchQuery): Promise<SearchResponse> {
    const cursor = this.#begin(from);
    const start = this.#start({ q, project, session, here, zone }, cursor);
    const { hits, done, progress } = (await resultSoon(this.#isListed, PAGE_BUDGET_MS))
      ? await this.#threads.next(start, cursor, { limit, budgetMs: PAGE_BUDGET_MS, stop: null })
      : NOTHING_YET;
    const nextCursor = done ? null : encodeCursor(cursor);
    const slow = slowProblems(q, { unsearched: progress.unsearched ?? 0 });
    const problems = [...this.#problemsOf(q, here), ...slow];
    return { hits, complete: done, nextCursor, progress, problems };
  }

  events(query: Omit<SearchQuery, "limit">, signal: AbortSignal): AsyncGenerator<SearchEvent> {
    return this.#eventsFrom(this.#begin(query.cursor), query, signal);
  }

  async places(hits: readonly HitName[]): Promise<(HitPlace | null)[]> {
    // The last thread: the first one answers from the index.
    const task = { kind: "places" as const, hits, index: this.#world.index.state.path };
    return (await this.#threads.askKnowing(this.#threads.all.length - 1, task)).places ?? [];
  }

  async states(hits: readonly NamedHit[]): Promise<HitState[][]> {
    const task = { kind: "states" as const, hits, index: this.#world.index.state.path };
    return (await this.#threads.askKnowing(this.#threads.all.length - 1, task)).states ?? [];
  }

  async lineChanges(hits: readonly HitName[], line: string): Promise<(OwnLineChange | null)[]> {
    const index = this.#world.index.state.path;
    const threads = this.#threads.all;
    const told = new Map<HitName, OwnLineChange | null>();
    const tell = async (ask: AskThread, share: readonly SessionHits[]) => {
      const sessions = share.map(({ files, hits: calls }) => ({ files, calls }));
      const { changes } = await ask({ kind: "changes", sessions, line, index });
      for (const [at, { hits: own }] of share.entries())
        for (const [nth, hit] of own.entries()) told.set(hit, changes?.[at]?.[nth] ?? null);
    };
    const shares = shareOut(this.#world.catalog, hits, threads.length);
    await Promise.all(threads.map((ask, nth) => tell(ask, shares[nth] ?? [])));
    return hits.map((hit) => told.get(hit) ?? null);
  }

  async records(
    { q, session, detail }: { q: string; session: SessionId; detail: Detail },
    signal: AbortSignal,
  ): Promise<RecordId[]> {
    const known = this.#found.of(session, q, detail);
    if (known) return known;
    for (let cursor: string | null = null; !signal.aborted; ) {
      for await (const event of this.events({ q, project: null, session, cursor }, signal))
        if (event.kind === "end") cursor = event.nextCursor;
      if (cursor === null) break;
    }
    return this.#found.of(session, q, detail) ?? [];
  }

  async *#eventsFrom(
    cursor: SearchCursor,
    { q, project, session, here = session, zone = null, cursor: from }: Omit<SearchQuery, "limit">,
    signal: AbortSignal,
  ): AsyncGenerator<SearchEvent> {
    const note = session === null ? null : this.#found.note(session, q, from !== null);
    const start = this.#start({ q, project, session, here, zone }, cursor);
    yield { kind: "start", problems: this.#problemsOf(q, here) };
    const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const stop = new Int32Array(new SharedArrayBuffer(4));
    // A thread may be in the middle of a text, where nothing that it is sent reaches it.
    signal.addEventListener("abort", () => void Atomics.store(stop, 0, 1));
    if (!signal.aborted) await Promise.race([this.#isListed, left]);
    let isKept = false;
    try {
      for (let streamed = 0; !signal.aborted; ) {
        const { hits, done, progress } = await this.#threads.next(start, cursor, {
          limit: EVENT_HITS,
          budgetMs: EVENT_BUDGET_MS,
          stop,
        });
        streamed += hits.length;
        note?.(hits, done);
        if (hits.length > 0) yield { kind: "hits", hits };
        // The next stream, with this one's cursor, is told why.
        if (done || streamed >= MAX_STREAMED || this.#limits?.allowance.isSpent) {
          isKept = !done;
          const nextCursor = done ? null : encodeCursor(cursor);
          yield { kind: "end", complete: done, nextCursor, progress };
          return;
        }
        yield { kind: "progress", progress };
      }
    } finally {
      if (!isKept) await this.#threads.drop(cursor);
    }
  }

  /** The cursor of a request. Throws `bad-cursor`, and `too-much-searched` where there are limits. */
  #begin(from: string | null): SearchCursor {
    const cursor = from === null ? firstCursor() : decodeCursor(from);
    this.#limits?.allowance.demand();
    return cursor;
  }

  #start(
    asked: Pick<SearchStart, "q" | "project" | "session" | "here" | "zone">,
    { nowMs }: SearchCursor,
  ): SearchStart {
    return { ...asked, nowMs, maxRegexSize: this.#limits?.maxRegexSize ?? null };
  }

  #problemsOf(q: string, here: SessionId | null): SearchResponse["problems"] {
    const maxRegexSize = this.#limits?.maxRegexSize ?? null;
    return readAskedQuery(q, { here, zone: null, nowMs: 0, maxRegexSize }).errors;
  }
}

/** Of a page that was asked for before the sessions are known. */
const NOTHING_YET: Found = {
  hits: [],
  done: false,
  progress: { bytesDone: 0, bytesTotal: 0, filesDone: 0, filesTotal: 0 },
};

type SessionHits = { files: SessionFiles; hits: HitName[] };

/**
 * The sessions of hits in as many groups, each with about the same amount to read. A session that is gone is in none.
 */
function shareOut(catalog: Catalog, hits: readonly HitName[], shares: number): SessionHits[][] {
  const bySession = new Map<SessionId, HitName[]>();
  for (const hit of hits) addTo(bySession, hit.session, hit);
  const found = [...bySession].flatMap(([id, own]): (SessionHits & { bytes: number })[] => {
    try {
      const files = catalog.sessionFiles(id);
      return [{ files, hits: own, bytes: bytesOf(files) }];
    } catch (error) {
      if (isViewerError(error)) return [];
      throw error;
    }
  });
  const shared = Array.from({ length: shares }, () => ({ bytes: 0, sessions: [] as SessionHits[] }));
  for (const one of found.sort((a, b) => b.bytes - a.bytes)) {
    const least = shared.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.bytes += one.bytes;
    least.sessions.push(one);
  }
  return shared.map(({ sessions }) => sessions);
}
