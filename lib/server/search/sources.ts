import { join } from "node:path";
import { isSameList } from "@/lib/format/lists";
import { keptFiles } from "@/lib/server/disk/kept-files";
import type { LibraryIndex } from "@/lib/server/index/library-index";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { runOf } from "@/lib/server/scan/scan-request";
import type { ScanFile } from "@/lib/server/scan/scan-session";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { StoredText } from "@/lib/server/scan/stored-session";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";

/** The fields of a session's summary that a search uses. */
export const SUMMARY_FIELDS = [
  "title",
  "titleSource",
  "firstPrompt",
  "gitBranch",
  "models",
  "tokens",
  "cost",
  "startedAtMs",
  "lastActiveAtMs",
  "toolErrors",
  "toolsDenied",
  "state",
  "openEnd",
  "indexed",
  "storage",
  "marks",
  "inHiddenProject",
] as const satisfies readonly (keyof SessionSummary)[];

/** The facts known about a session before any of its texts is read. */
export type SessionFacts = {
  id: SessionId;
  summary: Pick<SessionSummary, (typeof SUMMARY_FIELDS)[number]>;
  path: string;
  /** Null until the session has been scanned. */
  facets: SessionFacets | null;
};

/** A text and its position in a session. */
export type LocatedText = StoredText & {
  /** The agent whose log it is. */
  agentId: string | null;
  /** Its line marks it as an agent's (1.0.128: in the main log); undefined where the line is not available. */
  sidechain?: boolean;
};

/** A session to be searched. */
export type SearchSource = SessionFacts & {
  projectId: ProjectId;
  root: string;
  /** The session's folder beside its main log; its `tool-results` are searched. */
  folder: string | null;
  /** Names of those `tool-results` that are kept, on disk or not: a search's thread receives no listings. */
  keptOutputs: readonly string[];
  files: (ScanFile & { bytes: number; metaPath: string | null; runId: string | null })[];
  /** How far each log is indexed, by key; the rest is read from the log. */
  indexed: ReadonlyMap<string, number>;
  /** How far each log was read for `facets`, by key. */
  scanned: ReadonlyMap<string, number>;
};

/** Lines of a session's queue whose text another line contains, which is the hit. */
export function repeatedLines({ facets }: SearchSource): RecordId[] {
  return [...(facets?.reports.repeats ?? []), ...(facets?.prompts.repeats ?? [])];
}

/** Whether a session's logs extend beyond what was scanned of them: then what is known of it may be outdated. */
export function hasGrown({ files, scanned }: SearchSource): boolean {
  return files.some(({ key, bytes }) => bytes > (scanned.get(key) ?? 0));
}

/**
 * Lines of a session's queue that may have been delivered in the unscanned part of the log: reading it shows whether
 * they were.
 */
export function waitingLines(source: SearchSource): ReadonlySet<RecordId> {
  const { facets } = source;
  if (!facets || !hasGrown(source)) return new Set();
  return new Set([...facets.reports.waiting.map(([, recordId]) => recordId), ...facets.prompts.waiting]);
}

type World = { catalog: Catalog; scanner: Scanner };

const NOTHING: ReadonlyMap<string, number> = new Map();

function lastActiveFirst(a: SearchSource, b: SearchSource): number {
  return (b.summary.lastActiveAtMs ?? 0) - (a.summary.lastActiveAtMs ?? 0);
}

/** A session in the form that a search needs. */
function sourceOf(world: World, id: SessionId): SearchSource {
  const { catalog, scanner } = world;
  const { projectId, root, main, agents, folder } = catalog.sessionFiles(id);
  return {
    ...factsOf(world, id),
    projectId,
    root,
    folder,
    keptOutputs: folder === null ? [] : keptNamesIn(join(folder, "tool-results")),
    files: [
      { path: main.path, key: main.key, agentId: null, bytes: main.bytes, metaPath: null, runId: null },
      ...agents.map(({ path, key, agentId, bytes, metaPath, name }) => {
        return { path, key, agentId, bytes, metaPath, runId: runOf(name) };
      }),
    ],
    indexed: scanner.indexedBytes(id) ?? NOTHING,
    scanned: scanner.scannedBytes(id) ?? NOTHING,
  };
}

function keptNamesIn(folder: string): string[] {
  return (keptFiles()?.entries(folder) ?? []).filter(({ isFolder }) => !isFolder).map(({ name }) => name);
}

/** The facts known about a session before any of its texts is read. */
export function factsOf({ catalog, scanner }: World, id: SessionId): SessionFacts {
  const summary = catalog.summary(id);
  const known = Object.fromEntries(SUMMARY_FIELDS.map((field) => [field, summary[field]]));
  return {
    id,
    summary: known as SessionFacts["summary"],
    path: catalog.sessionFiles(id).projectPath,
    facets: scanner.facets(id),
  };
}

type ListedWorld = { catalog: Catalog; scanner: Scanner; index: LibraryIndex };

/**
 * What a thread with the listing `since` (0: none) needs for a later one: the ids of all of its sessions in order, and
 * those sessions that are new or changed.
 */
export type ListingChange = { since: number; ids: SessionId[]; changed: SearchSource[] };

/** The inputs of a source: while these are the same objects, nothing of it has changed. */
type MadeOf = { summary: SessionSummary; files: SessionFiles; facets: SessionFacets | null };

/** A session's current source, and the number of the listing in which it last changed. */
type KnownSource = { source: SearchSource; of: MadeOf; number: number };

/** The sessions to be searched, listed again when the library or the index has changed. */
export class SearchListing {
  readonly #world: ListedWorld;
  #number = 0;
  #version = "";
  #surroundings = "";
  #sources: readonly SearchSource[] = [];
  #known = new Map<SessionId, KnownSource>();

  constructor(world: ListedWorld) {
    this.#world = world;
  }

  /** The listing as things are now, with its number, from 1. */
  now(): { number: number; sources: readonly SearchSource[] } {
    const { catalog, scanner, index } = this.#world;
    // What concerns all sources, whichever session has changed: the index, and which outputs are kept.
    const surroundings = `${index.state.path} ${index.state.epoch} ${keptFiles()?.revision}`;
    const version = `${catalog.revision} ${scanner.revision} ${surroundings}`;
    if (version !== this.#version) this.#renew(surroundings !== this.#surroundings);
    this.#version = version;
    this.#surroundings = surroundings;
    return { number: this.#number, sources: this.#sources };
  }

  /** @param mayDiffer also sessions whose files and numbers are the same */
  #renew(mayDiffer: boolean): void {
    this.#number += 1;
    const { catalog, scanner } = this.#world;
    const known = new Map<SessionId, KnownSource>();
    for (const summary of catalog.summaries()) {
      const { id } = summary;
      const of = { summary, files: catalog.sessionFiles(id), facets: scanner.facets(id) };
      const before = this.#known.get(id);
      known.set(id, before && !mayDiffer && isMadeOf(before.of, of) ? before : this.#made(id, of, before));
    }
    this.#known = known;
    this.#sources = [...known.values()].map(({ source }) => source).sort(lastActiveFirst);
  }

  #made(id: SessionId, of: MadeOf, before: KnownSource | undefined): KnownSource {
    const source = sourceOf(this.#world, id);
    return before && isSame(before.source, source) ? { ...before, of } : { source, of, number: this.#number };
  }

  /**
   * The difference between the last listing and an earlier one: a line that is written somewhere changes one session of
   * thousands.
   */
  changesSince(since: number): ListingChange {
    const changed = this.#sources.filter(({ id }) => (this.#known.get(id)?.number ?? 0) > since);
    return { since, ids: this.#sources.map(({ id }) => id), changed };
  }
}

function isMadeOf(one: MadeOf, other: MadeOf): boolean {
  return one.summary === other.summary && one.files === other.files && one.facets === other.facets;
}

/** Whether nothing of a session has changed. Every scan makes new facets, so these show whether it was scanned. */
function isSame(one: SearchSource, other: SearchSource): boolean {
  return (
    one.facets === other.facets &&
    one.indexed.size === other.indexed.size &&
    one.path === other.path &&
    one.folder === other.folder &&
    isSameList(one.keptOutputs, other.keptOutputs) &&
    one.files.length === other.files.length &&
    one.files.every(({ path, bytes, metaPath }, at) => {
      const file = other.files[at];
      return file?.path === path && file.bytes === bytes && file.metaPath === metaPath;
    }) &&
    SUMMARY_FIELDS.every((field) => isSameValue(one.summary[field], other.summary[field]))
  );
}

function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}
