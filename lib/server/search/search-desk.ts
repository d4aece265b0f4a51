import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseQuery } from "@/lib/query/parse-query";
import { asObject, asString } from "@/lib/records/json";
import type { SessionLog } from "@/lib/thread/log-file";
import { SessionTable } from "@/lib/thread/session-table";
import type { SearchHit, SearchProgress } from "@/lib/wire/search";
import { createIndexReader } from "../index/index-reader";
import { scanSession } from "../session/scan-session";
import { CallLookup } from "./call-facts";
import { ChunkIndex } from "./chunk-index";
import { checkRegex } from "./find-in-text";
import { runSearch, type SearchStep } from "./search-run";
import type { SearchSource } from "./search-source";

/** A search as it was begun. Sessions are those of one listing, named by its number. */
export type SearchStart = { q: string; project: string | null; session: string | null; nowMs: number };

export type SearchTask =
  | {
      kind: "next";
      run: string;
      /** Hits that were given out already: a search whose state is lost begins anew and passes over them. */
      delivered: number;
      start: SearchStart;
      index: string | null;
      limit: number;
      budgetMs: number;
      /** Answer with what the index has before logs are read. */
      indexFirst: boolean;
      listing: number;
      sources: SearchSource[] | null;
    }
  | { kind: "drop"; run: string };

/** `needsSources`: the listing is not known here; ask again with it. */
export type SearchAnswer = {
  hits: SearchHit[];
  done: boolean;
  progress: SearchProgress;
  needsSources?: boolean;
};

type Run = {
  key: string;
  steps: Generator<SearchStep>;
  waiting: SearchHit[];
  delivered: number;
  done: boolean;
  progress: SearchProgress;
};

const MOST_RUNS = 24;
/** Between two looks at whether somebody else wants something. */
const TURN_MS = 12;

const NO_PROGRESS: SearchProgress = { bytesDone: 0, bytesTotal: 0, filesDone: 0, filesTotal: 0 };

/** Searches in its thread: keeps the searches under way, so that each request goes on where the last one ended. */
export class SearchDesk {
  readonly #runs = new Map<string, Run>();
  readonly #chunks = new ChunkIndex();
  readonly #reader = createIndexReader();
  #listing = -1;
  #sources: SearchSource[] = [];

  async do(task: SearchTask): Promise<SearchAnswer> {
    if (task.kind === "drop") {
      this.#runs.delete(task.run);
      return { hits: [], done: true, progress: NO_PROGRESS };
    }
    if (task.sources) {
      this.#sources = task.sources;
      this.#listing = task.listing;
    }
    if (!this.#runs.has(task.run) && this.#listing !== task.listing) {
      return { hits: [], done: false, progress: NO_PROGRESS, needsSources: true };
    }
    return this.#advance(this.#runOf(task), task);
  }

  close(): void {
    this.#chunks.close();
    this.#reader.close();
  }

  #runOf({ run: id, start, index, delivered }: Extract<SearchTask, { kind: "next" }>): Run {
    const key = JSON.stringify([start.q, start.project, start.session]);
    const known = this.#runs.get(id);
    this.#runs.delete(id);
    const run = known?.key === key && known.delivered === delivered ? known : this.#begin(key, start, index);
    this.#runs.set(id, run);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= MOST_RUNS) break;
      this.#runs.delete(oldest);
    }
    return run;
  }

  #begin(key: string, { q, project, session, nowMs }: SearchStart, index: string | null): Run {
    const { query } = parseQuery(q, { checkRegex });
    const sources = this.#sources.filter(
      (source) =>
        (project === null || source.projectId === project) && (session === null || source.id === session),
    );
    const chunks = this.#chunks.refresh(index) ? this.#chunks : null;
    const calls = (source: SearchSource) => this.#calls(source, index);
    const steps = runSearch({ query, sources, chunks, calls, nowMs });
    return { key, steps, waiting: [], delivered: 0, done: false, progress: NO_PROGRESS };
  }

  async #advance(
    run: Run,
    { delivered, limit, budgetMs, indexFirst }: Extract<SearchTask, { kind: "next" }>,
  ): Promise<SearchAnswer> {
    const endsAtMs = performance.now() + budgetMs;
    let turnAtMs = performance.now() + TURN_MS;
    while (
      !run.done &&
      run.delivered + run.waiting.length < delivered + limit &&
      performance.now() < endsAtMs
    ) {
      const step = run.steps.next();
      if (step.done) run.done = true;
      else {
        for (const hit of step.value.hits) run.waiting.push(hit);
        run.progress = step.value.progress;
        if (indexFirst && step.value.indexDone && run.delivered + run.waiting.length > delivered) break;
      }
      if (performance.now() < turnAtMs) continue;
      await nextTurn();
      turnAtMs = performance.now() + TURN_MS;
    }
    const again = Math.min(run.waiting.length, Math.max(0, delivered - run.delivered));
    run.waiting.splice(0, again);
    run.delivered += again;
    const hits = run.delivered < delivered ? [] : run.waiting.splice(0, limit);
    run.delivered += hits.length;
    return { hits, done: run.done && run.waiting.length === 0, progress: run.progress };
  }

  /** A session's skeleton, from the index or else from its logs. Null for one that cannot be read. */
  #calls(source: SearchSource, index: string | null): CallLookup | null {
    const known = this.#reader.load(index, source.files[0]?.path ?? "");
    const from = known && { table: new SessionTable(known.table), files: known.entry.files };
    try {
      const { table } = scanSession(source.root, source.files, { from });
      return new CallLookup(table, source.files.map(logOf));
    } catch {
      // Gone, unreadable or being rewritten: filters about its calls then hold for none of its texts.
      return null;
    }
  }
}

function logOf({ key, agentId, metaPath }: SearchSource["files"][number]): SessionLog {
  if (metaPath === null) return { key, agentId, meta: null };
  try {
    const meta = asObject(JSON.parse(readFileSync(metaPath, "utf8")));
    return {
      key,
      agentId,
      meta: {
        toolUseId: asString(meta?.toolUseId),
        agentType: asString(meta?.agentType),
        description: asString(meta?.description),
      },
    };
  } catch {
    // It is replaced by renaming, so a missing or torn one is no fault.
    return { key, agentId, meta: null };
  }
}
