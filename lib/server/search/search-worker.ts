import { setImmediate as nextTurn } from "node:timers/promises";
import { addTo } from "@/lib/format/lists";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { faultCode } from "@/lib/server/disk/file-fault";
import { IndexReader } from "@/lib/server/index/index-reader";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { readAgentMeta } from "@/lib/server/scan/place-files";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scanSession } from "@/lib/server/scan/scan-session";
import { type FoundCall, lineChanges, type OwnLineChange } from "@/lib/server/session/files/line-change";
import { logsRead } from "@/lib/server/session/logs-read";
import { OpenSession } from "@/lib/server/session/open-session";
import { parseRecordId, type SessionId } from "@/lib/wire/ids";
import { unansweredEnd } from "@/lib/wire/library";
import type { HitPlacesRequest, HitStatesBody } from "@/lib/wire/requests/search";
import type { Checked } from "@/lib/wire/requests/values";
import type { HitPlace, HitState, SearchHit, SearchProgress } from "@/lib/wire/search";
import { readAskedQuery } from "./asked-query";
import { CallLookup } from "./call-lookup";
import { ChunkIndex } from "./chunk-index";
import { hasNoStates, textStates } from "./filter-matchers";
import { isSearchStopped, RegexWatch, SEARCH_LIMITS } from "./regex-watch";
import { runSearch, type SearchPart, type SearchStep } from "./search-run";
import type { ListingChange, SearchSource } from "./sources";

/**
 * The parameters of a search when it started. Its sessions are those of one listing, identified by number. `zone`: whose
 * days the dates of the query are.
 */
export type SearchStart = {
  q: string;
  project: string | null;
  session: string | null;
  /** The session that the query calls `in:this-session`. */
  here: SessionId | null;
  nowMs: number;
  zone: string | null;
  /** See `SearchLimits`; null without. */
  maxRegexSize: number | null;
};

/** What a search's thread is asked: the next hits of a part, or where hits that were found stand, and in which state. */
export type SearchTask =
  | {
      kind: "next";
      run: string;
      part: SearchPart;
      /**
       * The number of hits that this part has already delivered: a search whose state is lost starts again and skips
       * them.
       */
      delivered: number;
      start: SearchStart;
      index: string | null;
      limit: number;
      budgetMs: number;
      /** Not 0 as soon as nobody waits for the search: memory that is shared with whoever asked. */
      stop: Int32Array | null;
      /** Answer when the index has been searched, before logs are read. */
      indexOnly: boolean;
      listing: number;
      sources: ListingChange | null;
    }
  | {
      kind: "places";
      hits: readonly HitName[];
      index: string | null;
      listing: number;
      sources: ListingChange | null;
    }
  | {
      kind: "states";
      hits: readonly NamedHit[];
      index: string | null;
      listing: number;
      sources: ListingChange | null;
    }
  | { kind: "changes"; sessions: readonly ChangedFiles[]; line: string; index: string | null }
  | { kind: "drop"; run: string };

/** A session, and calls in it that a search has found. */
export type ChangedFiles = { files: SessionFiles; calls: readonly FoundCall[] };

/** A hit by its session, record and block. */
export type HitName = Checked<typeof HitPlacesRequest>["hits"][number];

/** A hit by its session, record, block and field. */
export type NamedHit = Checked<typeof HitStatesBody>["hits"][number];

/**
 * `unindexed`: see `SearchStep`; null while the index is being searched. `needsSources`: the listing is not known
 * here; ask again with it. `workedMs`: how long it kept its thread busy.
 */
export type SearchAnswer = {
  hits: SearchHit[];
  done: boolean;
  unindexed: SessionId[] | null;
  progress: SearchProgress;
  workedMs: number;
  needsSources?: boolean;
  /** The index was found damaged or missing. */
  isIndexFaulty?: boolean;
  /** The answer to `places`. */
  places?: (HitPlace | null)[];
  /** The answer to `states`. */
  states?: HitState[][];
  /** The answer to `changes`, of each session what `lineChanges` says of its calls. */
  changes?: (OwnLineChange | null)[][];
};

type Run = {
  key: string;
  /** Its generator reads `unindexed` when it moves on to the logs. */
  part: SearchPart;
  watch: RegexWatch;
  stop: Int32Array | null;
  steps: Generator<SearchStep>;
  /** Its files are closed: another request starts it again. */
  isLeft: boolean;
  waiting: SearchHit[];
  delivered: number;
  done: boolean;
  unindexed: SessionId[] | null;
  progress: SearchProgress;
};

/**
 * Maximum number of searches in progress. Each keeps its pending hits; one that starts again skips the hits delivered.
 */
const MAX_RUNS = 8;
/** Interval at which a search yields to other tasks. */
const TURN_MS = 12;

const NOTHING: SearchAnswer = {
  hits: [],
  done: false,
  unindexed: null,
  progress: { bytesDone: 0, bytesTotal: 0, filesDone: 0, filesTotal: 0 },
  workedMs: 0,
};

/** Searches on its thread; keeps searches in progress, so that each request continues where the last one ended. */
export class SearchWorker {
  readonly #runs = new Map<string, Run>();
  readonly #chunks = new ChunkIndex();
  readonly #reader = new IndexReader();
  /** 0: none. */
  #listing = 0;
  #sources: ReadonlyMap<SessionId, SearchSource> = new Map();

  /**
   * Does a task. Where the sessions to search have changed, it answers `needsSources`: then it is asked again with them.
   */
  async do(task: SearchTask): Promise<SearchAnswer> {
    if (task.kind === "drop") {
      this.#leave(task.run);
      return { ...NOTHING, done: true };
    }
    if (task.kind === "changes") return { ...NOTHING, changes: await this.#changes(task) };
    if (task.sources) this.#take(task.sources, task.listing);
    if (task.kind === "places") {
      return this.#listing === task.listing
        ? { ...NOTHING, places: await this.#places(task) }
        : { ...NOTHING, needsSources: true };
    }
    if (task.kind === "states") {
      return this.#listing === task.listing
        ? { ...NOTHING, states: await this.#states(task) }
        : { ...NOTHING, needsSources: true };
    }
    if (!this.#runs.has(task.run) && this.#listing !== task.listing) {
      return { ...NOTHING, needsSources: true };
    }
    return this.#advance(this.#runOf(task), task);
  }

  /** Applies a listing that continues from the known one; a request for another listing is refused. */
  #take({ since, ids, changed }: ListingChange, number: number): void {
    if (since !== 0 && since !== this.#listing) return;
    const all = new Map([
      ...(since === 0 ? [] : this.#sources),
      ...changed.map((one) => [one.id, one] as const),
    ]);
    this.#sources = new Map(
      ids.flatMap((id) => {
        const source = all.get(id);
        return source ? [[id, source] as const] : [];
      }),
    );
    this.#listing = number;
  }

  /** Closes all that its searches have open. */
  close(): void {
    for (const id of this.#runs.keys()) this.#leave(id);
    this.#chunks.close();
    this.#reader.close();
  }

  #runOf({ run: id, start, index, part, delivered, stop }: Extract<SearchTask, { kind: "next" }>): Run {
    const key = JSON.stringify([start.q, start.project, start.session, start.here, part.nth, part.of]);
    const known = this.#runs.get(id);
    const goesOn = known?.key === key && known.delivered <= delivered;
    if (goesOn) this.#runs.delete(id);
    else this.#leave(id);
    const run = goesOn ? known : this.#begin(key, start, part, index);
    run.part.unindexed = part.unindexed;
    run.stop = stop;
    this.#runs.set(id, run);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= MAX_RUNS) break;
      this.#leave(oldest);
    }
    return run;
  }

  /** Drops a search, and closes the file that it was reading. */
  #leave(id: string): void {
    const run = this.#runs.get(id);
    if (!run) return;
    this.#runs.delete(id);
    run.isLeft = true;
    run.steps.return(undefined);
  }

  #begin(
    key: string,
    { q, project, session, here, nowMs, zone, maxRegexSize }: SearchStart,
    part: SearchPart,
    index: string | null,
  ): Run {
    const { query } = readAskedQuery(q, { here, zone, nowMs, maxRegexSize });
    const sources = [...this.#sources.values()].filter(
      (source) =>
        (project === null || source.projectId === project) && (session === null || source.id === session),
    );
    // Only the first part uses the index: its signatures are needed in memory only once.
    const chunks = part.nth === 0 && this.#chunks.refresh(index) ? this.#chunks : null;
    const calls = (source: SearchSource) => this.#calls(source, index);
    const own = { ...part };
    // A search in one session marks its finds where the session is read.
    const toMark = session !== null;
    const watch = new RegexWatch(SEARCH_LIMITS, () => run.stop !== null && Atomics.load(run.stop, 0) !== 0);
    const steps = runSearch({ query, sources, chunks, calls, nowMs, toMark, part: own, watch });
    const { progress } = NOTHING;
    const run: Run = {
      ...{ key, part: own, watch, stop: null, steps, isLeft: false, waiting: [], delivered: 0 },
      ...{ done: false, unindexed: null, progress },
    };
    return run;
  }

  async #advance(
    run: Run,
    { delivered, limit, budgetMs, indexOnly }: Extract<SearchTask, { kind: "next" }>,
  ): Promise<SearchAnswer> {
    const endsAtMs = performance.now() + budgetMs;
    let turnAtMs = performance.now() + TURN_MS;
    let workedMs = 0;
    while (
      !run.done &&
      !run.isLeft &&
      !(indexOnly && run.unindexed) &&
      run.delivered + run.waiting.length < delivered + limit &&
      performance.now() < endsAtMs
    ) {
      const beganMs = performance.now();
      const step = nextStep(run);
      workedMs += performance.now() - beganMs;
      if (step.done) run.done = true;
      else {
        for (const hit of step.value.hits) run.waiting.push(hit);
        run.progress = step.value.progress;
        run.unindexed = step.value.unindexed ?? run.unindexed;
      }
      if (performance.now() < turnAtMs) continue;
      await nextTurn();
      turnAtMs = performance.now() + TURN_MS;
    }
    const again = Math.min(run.waiting.length, Math.max(0, delivered - run.delivered));
    run.waiting.splice(0, again);
    run.delivered += again;
    // They wait here until the next request says that they were delivered: a page may have no room for some of them.
    const hits = run.delivered < delivered ? [] : run.waiting.slice(0, limit);
    const { unindexed } = run;
    const { unsearched } = run.watch;
    const progress = unsearched > 0 ? { ...run.progress, unsearched } : run.progress;
    const isIndexFaulty = this.#chunks.takeFault();
    const done = run.done && run.waiting.length === hits.length;
    return { hits, done, unindexed, progress, workedMs, isIndexFaulty };
  }

  async #places({ hits, index }: Extract<SearchTask, { kind: "places" }>): Promise<(HitPlace | null)[]> {
    const lookups = new Map<SessionId, CallLookup | null>();
    const sources = this.#sources;
    for (const session of new Set(hits.map((hit) => hit.session))) {
      const source = sources.get(session);
      lookups.set(session, source ? this.#calls(source, index) : null);
      await nextTurn();
    }
    return hits.map(({ session, recordId, block }) => {
      const { file, offset } = parseRecordId(recordId);
      return lookups.get(session)?.place(file, offset, block) ?? null;
    });
  }

  /** Session by session, so that a single one is in memory at a time. */
  async #states({ hits, index }: Extract<SearchTask, { kind: "states" }>): Promise<HitState[][]> {
    const states = hits.map((): HitState[] => []);
    const bySession = new Map<SessionId, number[]>();
    for (const [nth, { session }] of hits.entries()) addTo(bySession, session, nth);
    for (const [session, own] of bySession) {
      const source = this.#sources.get(session);
      const isOpen = source !== undefined && unansweredEnd(source.summary) !== null;
      const lookup = source && (isOpen || !hasNoStates(source)) ? this.#calls(source, index) : null;
      if (!lookup) continue;
      for (const nth of own) {
        const { recordId, block, field } = hits[nth] as NamedHit;
        const place = { ...parseRecordId(recordId), block, field };
        states[nth] = textStates(place, lookup);
        if (isOpen && lookup.has(place.file, place.offset)) states[nth].push("unanswered");
      }
      await nextTurn();
    }
    return states;
  }

  async #changes({
    sessions,
    line,
    index,
  }: Extract<SearchTask, { kind: "changes" }>): Promise<(OwnLineChange | null)[][]> {
    const told: (OwnLineChange | null)[][] = [];
    for (const { files, calls } of sessions) {
      try {
        told.push(await lineChanges(await this.#session(files, index), calls, line));
      } catch (error) {
        if (!isViewerError(error)) throw error; // its logs are gone, or cannot be read
        told.push(calls.map(() => null));
      }
      await nextTurn();
    }
    return told;
  }

  /** A session in its current state; what the index contains of it is not read again. */
  async #session(files: SessionFiles, index: string | null): Promise<OpenSession> {
    const request = await scanRequest(files);
    const known = this.#reader.load(index, files.main.path);
    const from = known && { table: new SessionTable(known.table), files: known.files };
    const { table, files: scanned } = scanSession(request.root, request.files, { from });
    const skeleton = { table, graph: buildGraph(table, request.logs), read: logsRead(scanned) };
    return new OpenSession(files, request.logs, skeleton, 0);
  }

  /** A session's skeleton, from the index or else from its logs. Null for one that cannot be read. */
  #calls(source: SearchSource, index: string | null): CallLookup | null {
    const known = this.#reader.load(index, source.files[0]?.path ?? "");
    const from = known && { table: new SessionTable(known.table), files: known.files };
    try {
      const { table } = scanSession(source.root, source.files, { from });
      return new CallLookup(table, source.files.map(logOf));
    } catch (error) {
      // Gone, unreadable or being rewritten: filters on its calls then match none of its texts.
      if (!isViewerError(error) && faultCode(error) === null)
        console.error("Reading the calls of a session for a search failed:", error);
      return null;
    }
  }
}

/** The next step of a search; of one that nobody waits for none. */
function nextStep({ steps }: Run): IteratorResult<SearchStep> {
  try {
    return steps.next();
  } catch (error) {
    if (isSearchStopped(error)) return { done: true, value: undefined };
    throw error;
  }
}

function logOf({ key, agentId, metaPath, runId }: SearchSource["files"][number]): SessionLog {
  return { key, agentId, runId, meta: readAgentMeta(metaPath).meta };
}
