import type { LibraryIndex } from "@/lib/server/index/library-index";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SearchProgress } from "@/lib/wire/search";
import type { SearchCursor } from "./search-cursor";
import type { SearchPart } from "./search-run";
import type { SearchAnswer, SearchStart, SearchTask } from "./search-worker";
import { SearchListing } from "./sources";

/** What a search looks through. */
export type SearchedWorld = { catalog: Catalog; scanner: Scanner; index: LibraryIndex };

/** Has a thread do a task. */
export type AskThread = (task: SearchTask) => Promise<SearchAnswer>;

/** A task for which a thread must know the sessions, without them. */
type OverSessions = Task<"next"> | Task<"places"> | Task<"states">;
type Task<Kind> = Omit<Extract<SearchTask, { kind: Kind }>, "listing" | "sources">;
/** Limits of a single answer. */
type Budget = { limit: number; budgetMs: number; stop: Int32Array | null };
/** What one step of a search found. */
export type Found = Pick<SearchAnswer, "hits" | "done" | "progress">;

/** The threads that search, each a share of the logs, and what each of them knows of the sessions. */
export class SearchThreads {
  readonly #world: SearchedWorld;
  readonly #threads: readonly AskThread[];
  readonly #listing: SearchListing;
  /** Thread → the listing that it was sent last. */
  readonly #sent: number[] = [];
  readonly #onWorked: (ms: number) => void;

  /** @param onWorked told how long each answer has kept its thread busy */
  constructor(world: SearchedWorld, threads: readonly AskThread[], onWorked: (ms: number) => void) {
    this.#world = world;
    this.#threads = threads;
    this.#onWorked = onWorked;
    this.#listing = new SearchListing(world);
  }

  /** All of them, for tasks that name their sessions themselves. */
  get all(): readonly AskThread[] {
    return this.#threads;
  }

  /** Advances the cursor. Hits from the index come first, alone; then all threads read logs. */
  async next(start: SearchStart, cursor: SearchCursor, { limit, budgetMs, stop }: Budget): Promise<Found> {
    // A single session's logs are not worth a second thread.
    const of = start.session === null ? this.#threads.length : 1;
    const first = { nth: 0, of, unindexed: [] };
    const endsAtMs = performance.now() + budgetMs;
    // All parts start from one listing: a session must neither be missing from all shares nor be in two.
    const nothing = { limit: 0, budgetMs: 0, stop, indexOnly: true };
    const isFirst = cursor.delivered.length === 0;
    const indexing = this.#ask(start, cursor, first, { limit, budgetMs, stop, indexOnly: true });
    const others = isFirst ? Array.from({ length: of - 1 }, (_, nth) => nth + 1) : [];
    const begun = Promise.all(others.map((nth) => this.#ask(start, cursor, { ...first, nth }, nothing)));
    // A search that the index answers completely waits for no other thread, whatever happens to that.
    begun.catch(() => undefined);
    const indexed = await indexing;
    const { unindexed, hits, done } = indexed;
    const isNothing = done && unindexed === null;
    if (isNothing || (done && of === 1)) return indexed;
    await begun;
    if (unindexed === null || hits.length > 0) return { ...indexed, done: false };
    const leftMs = Math.max(1, endsAtMs - performance.now());
    const budget = { limit: Math.ceil(limit / of), budgetMs: leftMs, stop, indexOnly: false };
    const parts = await Promise.all(
      Array.from({ length: of }, (_, nth) => this.#ask(start, cursor, { nth, of, unindexed }, budget)),
    );
    const sum = (count: (progress: SearchProgress) => number) =>
      parts.reduce((total, { progress }) => total + count(progress), 0);
    const unsearched = sum((progress) => progress.unsearched ?? 0);
    const found = parts.flatMap(({ hits }, nth) => hits.map((hit) => ({ hit, nth })));
    // Shares are rounded up, so together they may exceed the limit: what has no room stays with its thread.
    for (const { nth } of found.slice(limit)) cursor.delivered[nth] = (cursor.delivered[nth] ?? 0) - 1;
    return {
      hits: found.slice(0, limit).map(({ hit }) => hit),
      done: found.length <= limit && parts.every(({ done }) => done),
      progress: {
        ...indexed.progress,
        bytesDone: sum(({ bytesDone }) => bytesDone),
        filesDone: sum(({ filesDone }) => filesDone),
        ...(unsearched > 0 && { unsearched }),
      },
    };
  }

  /** The threads that this request has asked forget the search. */
  async drop({ run, begun }: SearchCursor): Promise<void> {
    for (const nth of begun) await this.#threads[nth]?.({ kind: "drop", run });
  }

  /**
   * Asks a thread, and again with the whole listing if it lacks a part: one that was idle for long has been replaced.
   */
  async askKnowing(nth: number, task: OverSessions): Promise<SearchAnswer> {
    const thread = this.#threads[nth] as AskThread;
    const { number, sources } = this.#listing.now();
    const known = this.#sent[nth] === number ? null : this.#listing.changesSince(this.#sent[nth] ?? 0);
    this.#sent[nth] = number;
    const answer = await thread({ ...task, listing: number, sources: known });
    if (!answer.needsSources) return answer;
    // The same listing: all parts of a search begin with one.
    this.#sent[nth] = number;
    const whole = { since: 0, ids: sources.map(({ id }) => id), changed: [...sources] };
    return thread({ ...task, listing: number, sources: whole });
  }

  async #ask(
    start: SearchStart,
    cursor: SearchCursor,
    part: SearchPart,
    budget: Budget & { indexOnly: boolean },
  ): Promise<SearchAnswer> {
    cursor.begun.add(part.nth);
    const delivered = cursor.delivered[part.nth] ?? 0;
    const { run } = cursor;
    const index = this.#world.index.state.path;
    const task = { kind: "next" as const, run, part, delivered, start, index, ...budget };
    const answer = await this.askKnowing(part.nth, task);
    this.#onWorked(answer.workedMs);
    cursor.delivered[part.nth] = delivered + answer.hits.length;
    if (answer.isIndexFaulty) this.#world.scanner.distrustIndex();
    return answer;
  }
}
