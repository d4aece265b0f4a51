import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { parseQuery } from "@/lib/query/parse-query";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SearchEvent, SearchResponse } from "@/lib/wire/search";
import type { Catalog } from "../catalog/catalog";
import type { LibraryIndex } from "../index/library-index";
import type { Scanner } from "../scanner";
import { ViewerError } from "../viewer-error";
import { WorkerThread } from "../worker-thread";
import { checkRegex } from "./find-in-text";
import { listSources } from "./list-sources";
import { type SearchAnswer, SearchDesk, type SearchStart, type SearchTask } from "./search-desk";

export type SearchRequest = {
  q: string;
  project: ProjectId | null;
  session: SessionId | null;
  limit: number;
  cursor: string | null;
};

/** Answers searches. */
export type Search = {
  /** A page of hits within a second. */
  page(request: SearchRequest): Promise<SearchResponse>;
  /** Every hit as it is found, until all has been looked at or the signal says stop. */
  events(request: Omit<SearchRequest, "cursor" | "limit">, signal: AbortSignal): AsyncGenerator<SearchEvent>;
  stop(): void;
};

type World = { catalog: Catalog; scanner: Scanner; index: LibraryIndex };
type Ask = (task: SearchTask) => Promise<SearchAnswer>;
type Cursor = { run: string; delivered: number; nowMs: number };

/** A request may take this long, reading and sending included. */
const PAGE_BUDGET_MS = 800;
const EVENT_BUDGET_MS = 80;
const EVENT_HITS = 200;
/** A page that streams every hit of `e` would fill its memory. */
const MOST_STREAMED = 5000;

/** Searches in a thread of its own. */
export function startSearch(world: World): Search {
  const thread = new WorkerThread<SearchTask, SearchAnswer, never>(
    () =>
      new Worker(new URL("./search.worker.ts", import.meta.url), {
        // A low limit makes for early collections: windows of logs pass through here by the gigabyte.
        resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
      }),
  );
  return createSearch(
    world,
    (task) => thread.ask(task),
    () => thread.stop(),
  );
}

/** Searches in this thread, for tests and benchmarks. */
export function openSearch(world: World): Search {
  const desk = new SearchDesk();
  return createSearch(
    world,
    (task) => desk.do(task),
    () => desk.close(),
  );
}

function createSearch(world: World, ask: Ask, stop: () => void): Search {
  const listing = new Listing(world);

  async function next(
    start: SearchStart,
    cursor: Cursor,
    way: { limit: number; budgetMs: number; indexFirst: boolean },
  ): Promise<SearchAnswer> {
    const index = world.index.state.path;
    const { number, sources, isNew } = listing.now();
    const task = {
      kind: "next" as const,
      run: cursor.run,
      delivered: cursor.delivered,
      start,
      index,
      listing: number,
      ...way,
    };
    const answer = await ask({ ...task, sources: isNew ? sources : null });
    return answer.needsSources ? ask({ ...task, sources }) : answer;
  }

  return {
    stop,
    async page({ q, project, session, limit, cursor }) {
      const from =
        cursor === null ? { run: randomUUID(), delivered: 0, nowMs: Date.now() } : decodeCursor(cursor);
      const { errors } = parseQuery(q, { checkRegex });
      const start = { q, project, session, nowMs: from.nowMs };
      const { hits, done, progress } = await next(start, from, {
        limit,
        budgetMs: PAGE_BUDGET_MS,
        indexFirst: true,
      });
      const nextCursor = done ? null : encodeCursor({ ...from, delivered: from.delivered + hits.length });
      return { hits, complete: done, nextCursor, progress, problems: errors };
    },
    async *events({ q, project, session }, signal) {
      const cursor: Cursor = { run: randomUUID(), delivered: 0, nowMs: Date.now() };
      const start = { q, project, session, nowMs: cursor.nowMs };
      yield { kind: "start", problems: parseQuery(q, { checkRegex }).errors };
      try {
        while (!signal.aborted) {
          const { hits, done, progress } = await next(start, cursor, {
            limit: EVENT_HITS,
            budgetMs: EVENT_BUDGET_MS,
            indexFirst: true,
          });
          cursor.delivered += hits.length;
          if (hits.length > 0) yield { kind: "hits", hits };
          if (done || cursor.delivered >= MOST_STREAMED) {
            yield { kind: "end", complete: done, progress };
            return;
          }
          yield { kind: "progress", progress };
        }
      } finally {
        await ask({ kind: "drop", run: cursor.run });
      }
    },
  };
}

/** The sessions to be searched, listed anew when the library or the index has changed. */
class Listing {
  readonly #world: World;
  #number = 0;
  #version = "";
  #sources: ReturnType<typeof listSources> = [];

  constructor(world: World) {
    this.#world = world;
  }

  now(): { number: number; sources: ReturnType<typeof listSources>; isNew: boolean } {
    const { catalog, scanner, index } = this.#world;
    const version = `${catalog.revision} ${scanner.revision} ${index.state.path}`;
    const isNew = version !== this.#version;
    if (isNew) {
      this.#sources = listSources(this.#world);
      this.#version = version;
      this.#number += 1;
    }
    return { number: this.#number, sources: this.#sources, isNew };
  }
}

function encodeCursor({ run, delivered, nowMs }: Cursor): string {
  return Buffer.from(JSON.stringify([run, delivered, nowMs])).toString("base64url");
}

function decodeCursor(cursor: string): Cursor {
  try {
    const [run, delivered, nowMs] = JSON.parse(
      Buffer.from(cursor, "base64url").toString("utf8"),
    ) as unknown[];
    if (typeof run === "string" && Number.isSafeInteger(delivered) && Number.isFinite(nowMs)) {
      return { run, delivered: delivered as number, nowMs: nowMs as number };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new ViewerError("bad-cursor", "This cursor is none that an answer gave out", {
    status: 400,
    hint: "Start again without it.",
  });
}
