import { Worker } from "node:worker_threads";
import { addTo } from "@/lib/format/lists";
import { comparablePath, textStart } from "@/lib/format/text";
import { evaluate } from "@/lib/query/evaluate";
import type { Filter } from "@/lib/query/filters";
import { matchesPart } from "@/lib/query/matches-glob";
import { parseMoment } from "@/lib/query/values";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { RootFolder } from "@/lib/server/runtime/config";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { badCursor } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import { readAskedQuery } from "@/lib/server/search/asked-query";
import { holdsForSession } from "@/lib/server/search/filter-matchers";
import { createTextFinder } from "@/lib/server/search/find-in-text";
import { RegexWatch, SERVER_LIMITS, slowProblems } from "@/lib/server/search/regex-watch";
import { factsOf, type SessionFacts } from "@/lib/server/search/sources";
import {
  countedInOrder,
  dearestSessionsFirst,
  isInRange,
  LookedThrough,
  type LookTask,
  type LookThrough,
} from "@/lib/server/session/looked-through";
import type { DoctorHistory } from "@/lib/wire/doctor";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import { uuidOfSession } from "@/lib/wire/ids";
import { isHidden, type SessionSummary } from "@/lib/wire/library";
import {
  MAX_LISTED_TEXT,
  type PromptSort,
  type PromptsResponse,
  type PromptUse,
  type PromptUsesResponse,
  type QueryProblem,
  type UsedPrompt,
} from "@/lib/wire/search";
import { type UsagePromptSort, type UsagePromptsResponse, usageTokens } from "@/lib/wire/usage";
import type { SessionPrompt } from "./list-prompts";
import { goneEntries, PromptHistories, type TypedEntry } from "./prompt-histories";
import { PROMPT_ORDERS, promptUsage, sumOfPrompts } from "./prompt-usage";

/**
 * Which uses of prompts are asked for: those in which `q` is found, of one project, from one moment up to another. `zone`:
 * whose days the dates in `q` are.
 */
type PromptsAsked = {
  q: string;
  project: ProjectId | null;
  fromMs: number | null;
  toMs: number | null;
  zone: string | null;
};

/** A page of a list, behind those of earlier answers. */
type PageAsked = { limit: number; cursor: string | null };

/** The prompts of a range and a project by what came of them; without `agents` by what they used themselves alone. */
export type CostliestQuery = {
  project: string | null;
  fromMs: number | null;
  toMs: number | null;
  agents: boolean;
  sort: UsagePromptSort;
  limit: number;
};

/** A thread that lists the prompts of one session after another. */
export function startPromptsThread(): LookThrough<SessionPrompt[]> {
  const thread = new WorkerThread<LookTask, SessionPrompt[], never>(
    () =>
      new Worker(new URL("./prompts.worker.ts", import.meta.url), {
        workerData: archiveData(),
        resourceLimits: { maxYoungGenerationSizeMb: 16 },
      }),
  );
  return (task) => thread.ask(task);
}

type World = { catalog: Catalog; scanner: Scanner };

/** Once that a prompt was used. `session`: null where its log is gone. */
type Use = Pick<SessionPrompt, "id" | "text" | "length" | "atMs"> & {
  session: SessionSummary | null;
  prompt: SessionPrompt | null;
  /** Where it was typed. */
  folder: string | null;
};

/**
 * The prompts of all sessions, and those that only the client's history still has. They are read session by session when
 * they are first asked for.
 */
export class LibraryPrompts {
  readonly #world: World;
  readonly #sessions: LookedThrough<SessionPrompt[]>;
  readonly #history: PromptHistories;

  constructor(
    world: World,
    roots: readonly RootFolder[],
    look: LookThrough<SessionPrompt[]>,
    indexPath: () => string | null = () => null,
  ) {
    this.#world = world;
    this.#sessions = new LookedThrough(world.catalog, look, [], indexPath);
    this.#history = new PromptHistories(roots);
  }

  /** What the client's histories of prompts hold, and what is wrong with them. */
  async histories(): Promise<DoctorHistory[]> {
    return (await this.#history.ofRoots()).map(({ report }) => report);
  }

  /** Every prompt once, with how often it was used. Throws ViewerError `bad-cursor`. */
  async list(asked: PromptsAsked & PageAsked & { sort: PromptSort }): Promise<PromptsResponse> {
    const { uses, problems, sessions, complete } = await this.#asked(asked);
    const groups = new Map<string, Use[]>();
    for (const use of uses) addTo(groups, use.id, use);
    const prompts = [...groups.values()].flatMap(toUsedPrompt);
    const compare = asked.sort === "uses" ? mostUsedFirst : latestFirst;
    const page = pageOf(prompts.sort(compare), compare, asked);
    return {
      prompts: page.rows,
      total: prompts.length,
      uses: uses.length,
      nextCursor: page.nextCursor,
      sessions,
      complete,
      problems,
    };
  }

  /** The uses of one prompt, the latest first. Throws ViewerError `bad-cursor`. */
  async uses(id: string, asked: PromptsAsked & PageAsked): Promise<PromptUsesResponse> {
    const { uses } = await this.#asked(asked);
    const same = uses.filter((use) => use.id === id);
    const { text = "", length = 0 } = lastOf(same) ?? {};
    const own = same.map((use) => ({ ...toWire(use), key: keyOf(use) }));
    const page = pageOf(own.sort(latestUseFirst), latestUseFirst, asked);
    return {
      text,
      length,
      uses: page.rows.map(({ key: _key, ...use }) => use),
      total: own.length,
      nextCursor: page.nextCursor,
    };
  }

  /** The prompts of which most came; a copy counts in the session that began first. */
  async costliest(query: CostliestQuery): Promise<UsagePromptsResponse> {
    const { catalog, scanner } = this.#world;
    const wasListed = catalog.listed;
    const all = countedInOrder(catalog, scanner.totals);
    const sessions = all.filter((session) => isInRange(session, query));
    await this.#sessions.want(sessions.toSorted(dearestSessionsFirst), scanner.totals);
    const inRange = new Set(sessions.map(({ id }) => id));
    const [from, to] = [query.fromMs ?? Number.NEGATIVE_INFINITY, query.toMs ?? Number.POSITIVE_INFINITY];
    const found = this.#originals(all).flatMap(({ session, prompt }) => {
      const atMs = prompt.atMs ?? 0;
      return inRange.has(session.id) && atMs >= from && atMs < to
        ? [promptUsage(session, prompt, query.agents)]
        : [];
    });
    const used = found.filter((one) => usageTokens(one) > 0);
    return {
      prompts: used.toSorted(PROMPT_ORDERS[query.sort]).slice(0, query.limit),
      total: used.length,
      totals: sumOfPrompts(used),
      sessions: {
        done: sessions.filter(({ id }) => this.#sessions.of(id) !== undefined).length,
        total: sessions.length,
      },
      pricesAsOf: pricesInUse().table.asOf,
      // The session that contains a prompt first is known once all have been listed and read.
      complete:
        wasListed &&
        all.every(({ id }) => scanner.totals.has(id)) &&
        sessions.every(({ id }) => this.#sessions.isKnown(id)),
    };
  }

  /** The prompts of sessions, each of which began before those behind it, without copies of earlier ones. */
  #originals(sessions: readonly SessionSummary[]): { session: SessionSummary; prompt: SessionPrompt }[] {
    const seen = new Set<string>();
    return sessions.flatMap((session) =>
      (this.#sessions.of(session.id) ?? []).flatMap((prompt) => {
        const isCopy = prompt.keys.some((key) => seen.has(key));
        for (const key of prompt.keys) seen.add(key);
        return isCopy ? [] : [{ session, prompt }];
      }),
    );
  }

  /** All uses of prompts that are asked for, in no order. */
  async #asked({ q, project, fromMs, toMs, zone }: PromptsAsked): Promise<{
    uses: Use[];
    problems: QueryProblem[];
    sessions: PromptsResponse["sessions"];
    complete: boolean;
  }> {
    const { catalog, scanner } = this.#world;
    const wasListed = catalog.listed;
    const all = countedInOrder(catalog, scanner.totals);
    const shown = all.filter((one) => !isHidden(one) && (project === null || one.projectId === project));
    await this.#sessions.want(shown.toSorted(latestSessionsFirst), scanner.totals);
    const isShown = new Set(shown.map(({ id }) => id));
    const logged = this.#originals(all).flatMap(({ session, prompt }): Use[] => {
      const { id, text, length, atMs } = prompt;
      if (text === "" || !isShown.has(session.id)) return [];
      const folder = catalog.sessionFiles(session.id).projectPath;
      return [{ id, text, length, atMs, session, prompt, folder }];
    });
    // Before all are listed, any session may seem to be gone.
    const gone = wasListed ? await this.#gone(project) : [];
    const matcher = this.#matcher(q, zone);
    const isInTime = ({ atMs }: Use) =>
      (fromMs === null || (atMs !== null && atMs >= fromMs)) &&
      (toMs === null || (atMs !== null && atMs < toMs));
    const uses = [...logged, ...gone].filter((use) => isInTime(use) && matcher.holds(use));
    return {
      uses,
      problems: matcher.problems(),
      sessions: {
        done: shown.filter(({ id }) => this.#sessions.of(id) !== undefined).length,
        total: shown.length,
      },
      complete:
        wasListed &&
        all.every(({ id }) => scanner.totals.has(id)) &&
        shown.every(({ id }) => this.#sessions.isKnown(id)),
    };
  }

  /** What the client's history has of sessions that are gone. */
  async #gone(project: ProjectId | null): Promise<Use[]> {
    const { catalog } = this.#world;
    const entries = (await this.#history.ofRoots()).flatMap((root) => [...root.entries]);
    if (entries.length === 0) return [];
    const summaries = catalog.summaries();
    const uuids = new Set(summaries.flatMap(({ id }) => uuidOfSession(id) ?? []));
    const ran = summaries.map(({ id, startedAtMs, lastActiveAtMs }) => {
      return { projectPath: catalog.sessionFiles(id).projectPath, startedAtMs, lastActiveAtMs };
    });
    const wanted = project === null ? null : comparablePath(catalog.project(project).path);
    const hidden = new Set(
      catalog.projects().flatMap(({ marks, path }) => (marks?.hidden ? [comparablePath(path)] : [])),
    );
    return goneEntries(entries, uuids, ran, Date.now()).flatMap((entry) => {
      const folder = entry.project === null ? null : comparablePath(entry.project);
      if ((wanted !== null && folder !== wanted) || (folder !== null && hidden.has(folder))) return [];
      return [toGoneUse(entry)];
    });
  }

  #matcher(q: string, zone: string | null): { holds: (use: Use) => boolean; problems: () => QueryProblem[] } {
    if (q.trim() === "") return { holds: () => true, problems: () => [] };
    const nowMs = Date.now();
    const { query, errors } = readAskedQuery(q, { here: null, zone, nowMs });
    const watch = new RegexWatch(SERVER_LIMITS);
    const finder = createTextFinder(query, watch);
    const facts = new Map<SessionId, SessionFacts>();
    const factsOfSession = (id: SessionId) => {
      const known = facts.get(id) ?? factsOf(this.#world, id);
      facts.set(id, known);
      return known;
    };
    const holds = (use: Use) =>
      evaluate(query, (leaf) => {
        if (leaf.kind !== "filter") return finder.holds(leaf, use.text);
        const ofUse = holdsForUse(leaf, use, nowMs);
        if (ofUse !== null) return ofUse;
        return use.session !== null && holdsForSession(leaf, factsOfSession(use.session.id), nowMs);
      }) === true;
    return { holds, problems: () => [...errors, ...slowProblems(q, watch)] };
  }
}

/** What a filter says of a use itself; null for a filter that asks for its session. */
function holdsForUse({ name, value }: Filter, { atMs, folder, session }: Use, nowMs: number): boolean | null {
  switch (name) {
    case "after":
      return atMs !== null && atMs >= (parseMoment(value, nowMs) ?? 0);
    case "before":
      return atMs !== null && atMs < (parseMoment(value, nowMs) ?? 0);
    case "in":
      return value.toLowerCase() === "prompt";
    case "project":
      return session === null ? folder !== null && matchesPart(value, folder) : null;
    default:
      return null;
  }
}

function toGoneUse({ id, text, length, atMs, project }: TypedEntry): Use {
  return { id, text, length, atMs, session: null, prompt: null, folder: project };
}

function toWire({ atMs, session, prompt, folder }: Use): PromptUse {
  return {
    atMs,
    sessionId: session?.id ?? null,
    recordId: prompt?.recordId ?? null,
    title: session?.title ?? null,
    projectId: session?.projectId ?? null,
    projectPath: folder,
  };
}

function lastOf(uses: readonly Use[]): Use | undefined {
  return uses.reduce<Use | undefined>(
    (late, use) => ((use.atMs ?? 0) > (late?.atMs ?? -1) ? use : late),
    uses[0],
  );
}

function toUsedPrompt(uses: readonly Use[]): UsedPrompt[] {
  const last = lastOf(uses);
  if (last === undefined) return [];
  const times = uses.flatMap(({ atMs }) => atMs ?? []);
  return [
    {
      id: last.id,
      text: textStart(last.text, MAX_LISTED_TEXT),
      length: last.length,
      uses: uses.length,
      sessions: new Set(uses.flatMap(({ session }) => session?.id ?? [])).size,
      gone: uses.filter(({ session }) => session === null).length,
      firstAtMs: times.length === 0 ? null : times.reduce((first, atMs) => Math.min(first, atMs)),
      last: toWire(last),
    },
  ];
}

function keyOf({ session, prompt, atMs, folder }: Use): string {
  return session && prompt ? `${session.id} ${prompt.recordId}` : `gone ${atMs} ${folder}`;
}

function latestSessionsFirst(a: SessionSummary, b: SessionSummary): number {
  return (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0);
}

/** By what prompts are ordered. */
type RankedPrompt = Pick<UsedPrompt, "id" | "uses"> & { last: Pick<PromptUse, "atMs"> };

function latestFirst(a: RankedPrompt, b: RankedPrompt): number {
  return (b.last.atMs ?? 0) - (a.last.atMs ?? 0) || (a.id < b.id ? -1 : a.id === b.id ? 0 : 1);
}

function mostUsedFirst(a: RankedPrompt, b: RankedPrompt): number {
  return b.uses - a.uses || latestFirst(a, b);
}

function latestUseFirst(a: { atMs: number | null; key: string }, b: { atMs: number | null; key: string }) {
  return (b.atMs ?? 0) - (a.atMs ?? 0) || (a.key < b.key ? -1 : a.key === b.key ? 0 : 1);
}

/**
 * A page of sorted rows. The cursor is the last row that was sent, so that none is sent twice or missed because others
 * were added before it. Throws `bad-cursor`.
 */
function pageOf<Row extends object>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
  { limit, cursor }: PageAsked,
): { rows: Row[]; nextCursor: string | null } {
  const last = cursor === null ? null : decodeCursor<Row>(cursor);
  const left = last === null ? rows : rows.filter((row) => compare(row, last) > 0);
  const page = left.slice(0, limit);
  const end = page.at(-1);
  return { rows: page, nextCursor: end && page.length < left.length ? encodeCursor(end) : null };
}

/** What rows are ordered by, of whichever list they are. */
function encodeCursor(row: object): string {
  const { id, uses, last, atMs, key } = row as Partial<RankedPrompt> & { atMs?: number | null; key?: string };
  const ranked = key === undefined ? { id, uses, last: { atMs: last?.atMs ?? null } } : { atMs, key };
  return Buffer.from(JSON.stringify(ranked)).toString("base64url");
}

function decodeCursor<Row>(cursor: string): Row {
  try {
    const row = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown;
    const { id, last, key } = (row ?? {}) as Partial<RankedPrompt> & { key?: unknown };
    if (typeof key === "string" || (typeof id === "string" && typeof last === "object" && last))
      return row as Row;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badCursor();
}
