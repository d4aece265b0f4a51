import { dirname } from "node:path";
import type { FoundFile } from "@/lib/server/disk/folder-entries";
import { isOnDisk, keptFiles } from "@/lib/server/disk/kept-files";
import type { UnreadFile } from "@/lib/server/disk/log-names";
import type { RootFolder } from "@/lib/server/runtime/config";
import { nextSlice } from "@/lib/server/runtime/slices";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ProjectMarks, SessionMarks } from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary, Warning } from "@/lib/wire/library";
import type { Relation } from "@/lib/wire/session";
import { EarlyLogs } from "./early-logs";
import { FactsCache } from "./facts-cache";
import { type FolderSource, findFolders, listsPath, narrow } from "./find-folders";
import { listFolder } from "./list-folder";
import { OutsideLines } from "./outside-lines";
import { toProjects } from "./project-list";
import { agentsToRead, draftSessions, type FolderDraft } from "./session-draft";
import type { SessionFiles, Surroundings } from "./session-files";
import type { SessionIds } from "./session-ids";
import { pageOfSessions, type SessionListPage, type SessionListQuery } from "./session-list";
import { SessionRegistry } from "./session-registry";
import { type SessionNumbers, toSessionSummary } from "./session-summary";
import { originalsAmong, relatedTo } from "./shared-lines";

const MAX_WARNINGS = 100;
/** A request for an unknown id causes the roots to be listed again, but at most this often. */
const LOOK_AGAIN_AFTER_MS = 1000;

/** Everything on disk: projects, sessions and the files of each. The only place where an id becomes a path. */
export class Catalog {
  readonly #roots: readonly RootFolder[];
  readonly #registry = new SessionRegistry();
  readonly #facts = new FactsCache();
  readonly #outside = new OutsideLines();
  /** `begun`: the number of the listing, in the order in which they began. */
  readonly #drafts = new Map<string, { source: FolderSource; draft: FolderDraft; begun: number }>();
  /** Folders whose sessions are being put into the registry. */
  readonly #puts = new Map<string, Promise<unknown>>();
  readonly #early = new EarlyLogs();
  #begun = 0;
  #warnings: Warning[] = [];
  /** Those of the last listing, while another one is running that has not reached all of them yet. */
  #lastWarnings: readonly Warning[] | null = null;
  #listing: Promise<void> | null = null;
  #listedOnce = false;
  #first: Promise<void> | null = null;
  #listedAtMs = 0;

  readonly #warn = (warning: Warning): void => {
    const known = this.#warnings.some((one) => one.code === warning.code && one.path === warning.path);
    if (!known && this.#warnings.length < MAX_WARNINGS) this.#warnings.push(warning);
  };

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots;
  }

  /**
   * The first listing: first of everything on disk, then of what is only kept, when that is known.
   * @param isReady what is to be known before; whoever asks from now on waits for that too
   */
  listFirst(keptIsKnown: Promise<void>, isReady?: Promise<void>): Promise<void> {
    const listBoth = async () => {
      await isReady;
      await this.list();
      await keptIsKnown;
      await this.#listKept();
    };
    this.#first = listBoth().finally(() => {
      this.#first = null;
    });
    return this.#first;
  }

  /** Lists every root. One listing at a time: a call during one joins it. */
  list(): Promise<void> {
    this.#listing ??= this.#listAll().finally(() => {
      this.#listing = null;
      this.#lastWarnings = null;
      this.#listedOnce = true;
      this.#listedAtMs = performance.now();
    });
    return this.#listing;
  }

  /** Lists every root as it is now: if a listing is running, once more after it. */
  async listAnew(): Promise<void> {
    await this.#listing;
    await this.list();
  }

  /** True once the first listing is complete. */
  get listed(): boolean {
    return this.#listedOnce && this.#first === null;
  }

  /** Resolves once the first listing is complete. */
  async untilListed(): Promise<void> {
    await this.#first;
    if (!this.#listedOnce) await this.list();
  }

  /** The facts known about the ends of logs, kept across restarts. */
  get facts(): FactsCache {
    return this.#facts;
  }

  /** The ids of the sessions, of which some are kept across restarts. */
  get ids(): SessionIds {
    return this.#registry.ids;
  }

  /** Increases with every change of the listing. */
  get revision(): number {
    return this.#registry.revision;
  }

  /** Milliseconds since the last complete listing. */
  get ageMs(): number {
    return performance.now() - this.#listedAtMs;
  }

  /** Makes sure that an existing `id` can be looked up: a link may lead to a session that has just begun. */
  async settle(id: SessionId): Promise<void> {
    if (!this.#registry.has(id)) await this.#first;
    if (!this.#registry.has(id) && (!this.#listedOnce || this.ageMs > LOOK_AGAIN_AFTER_MS)) await this.list();
  }

  /** Throws ViewerError `session-not-found`. */
  sessionFiles(id: SessionId): SessionFiles {
    return this.#registry.get(id).files;
  }

  /** Lists the session's folder again: its logs may have grown, agents may have been added. */
  async refresh(id: SessionId): Promise<SessionFiles> {
    await this.#listFolder(this.#registry.get(id).source);
    return this.sessionFiles(id);
  }

  /** Whether `refresh` of a session, if there is one, also finds a new file at this path. */
  refreshFinds(id: SessionId, path: string): boolean {
    if (!this.#registry.has(id)) return false;
    const { source } = this.#registry.get(id);
    const isSession = (name: string) =>
      this.#drafts.get(keyOf(source))?.draft.sessions.some(({ stem }) => stem === name) ?? false;
    return listsPath(source, path, isSession);
  }

  /** The names that relate a session to the rest of its config folder. Throws ViewerError `session-not-found`. */
  surroundings(id: SessionId): Surroundings {
    const { source, draft, files } = this.#registry.get(id);
    const { slugs, startedAtMs, lastActiveAtMs } = draft.facts;
    return {
      configRoot: source.configRoot,
      root: source.root,
      folder: source.path,
      stem: draft.stem,
      projectPath: files.projectPath,
      slugs,
      startedAtMs,
      lastActiveAtMs,
    };
  }

  /** A session as the library lists it, with its marks and its live state. Throws `session-not-found`. */
  summary(id: SessionId): SessionSummary {
    return this.#registry.get(id).summary;
  }

  /** The title from a session's logs, whatever name its reader gave it. Throws `session-not-found`. */
  loggedTitle(id: SessionId): string {
    const { files, draft, numbers } = this.#registry.get(id);
    return toSessionSummary(id, files.projectId, draft, numbers).title;
  }

  /** Sessions of the same project that share history with this one. Throws `session-not-found`. */
  related(id: SessionId): { id: SessionId; relation: Relation; summary: SessionSummary }[] {
    return relatedTo(this.#registry.get(id), this.#registry.entries()).map(({ entry, relation }) => ({
      id: entry.files.id,
      relation,
      summary: entry.summary,
    }));
  }

  /** For each of these sessions those among them that it was copied from. Throws `session-not-found`. */
  originals(ids: readonly SessionId[]): Map<SessionId, SessionId[]> {
    return originalsAmong(ids.map((id) => this.#registry.get(id)));
  }

  /** Every session of every folder, hidden ones included, in no order. */
  summaries(): SessionSummary[] {
    return this.#registry.entries().map((entry) => entry.summary);
  }

  /** One page of the sessions that a query finds, in its order. A cursor that no list made starts from the top. */
  sessions(query: SessionListQuery): SessionListPage {
    return pageOfSessions(this.summaries(), query);
  }

  /** Every project that has a session, hidden ones included. */
  projects(): Project[] {
    return toProjects(this.#registry.entries(), (id) => this.#registry.projectMarks(id));
  }

  /** Throws ViewerError `project-not-found`. */
  project(id: ProjectId): Project {
    const project = this.projects().find((one) => one.id === id);
    if (!project)
      throw new ViewerError("project-not-found", "There is no such project", { hint: "Reload the library." });
    return project;
  }

  /** Merges the numbers of a full scan; if the files have more bytes than `scannedBytes`, the session is due again. */
  setNumbers(id: SessionId, numbers: SessionNumbers, scannedBytes: number): void {
    this.#registry.setNumbers(id, numbers, scannedBytes);
  }

  /**
   * Names the sessions of clients that run, whose logs are listed from when they are made: see `EarlyLogs`. Any other log
   * without a message is none of a session.
   * @param registered the main logs' UUIDs, each with the folder that its client was started in
   * @returns whether one was listed for that alone, and is none any longer when its folder is listed again
   */
  setRegistered(registered: ReadonlyMap<string, string | null>): boolean {
    return this.#early.setRunning(registered);
  }

  /** Whether a session had no message yet when it was listed last. */
  isListedEarly(id: SessionId): boolean {
    return this.#registry.has(id) && this.#early.has(this.#registry.get(id).draft.stem);
  }

  /** Sets the live state shown in its summary. */
  setState(id: SessionId, state: SessionSummary["state"], sinceMs: number | null): void {
    this.#registry.setState(id, state, sinceMs);
  }

  /** Sets a session's marks, whether or not the session exists. */
  setMarks(id: SessionId, marks: SessionMarks | null): void {
    this.#registry.setMarks(id, marks);
  }

  /** Sets a project's marks, whether or not the project exists. */
  setProjectMarks(id: ProjectId, marks: ProjectMarks | null): void {
    this.#registry.setProjectMarks(id, marks);
  }

  /** Sets the reason, shown to readers, why a session could not be scanned. */
  setProblem(id: SessionId, problem: SessionSummary["problem"]): void {
    this.#registry.setProblem(id, problem);
  }

  /** Sessions that are not completely scanned, last active first. */
  due(): SessionId[] {
    return this.#registry.due();
  }

  /** What could not be read when the folders were listed last; of a listing under way, what the one before it found. */
  get warnings(): readonly Warning[] {
    return this.#lastWarnings ?? this.#warnings;
  }

  /** Every log that belongs to no session: journals, files without a message. */
  outsideFiles(): { root: string; file: FoundFile }[] {
    return [...this.#drafts.values()].flatMap(({ source, draft }) =>
      draft.outside
        .filter((file) => source.only === null || file.name === source.only)
        .map((file) => ({ root: source.root, file })),
    );
  }

  /** Entries with the name of a log or of a folder of logs that are not read, with the reason. */
  unreadFiles(): { root: string; file: UnreadFile }[] {
    return [...this.#drafts.values()].flatMap(({ source, draft }) =>
      draft.unread.map((file) => ({ root: source.root, file })),
    );
  }

  /** Files and bytes of sessions, scanned and in total, and the lines that belong to none. */
  totals() {
    return { ...this.#registry.totals(), recordsOutsideSessions: this.#outside.total };
  }

  async #listAll(): Promise<void> {
    if (this.#listedOnce) this.#lastWarnings = this.#warnings;
    this.#warnings = [];
    const sources = new Map<string, FolderSource>();
    for (const root of this.#roots) {
      for await (const source of findFolders(root, this.#warn)) sources.set(keyOf(source), source);
    }
    // Removed folders first: a renamed folder's sessions keep their ids under the new name.
    for (const key of this.#drafts.keys()) {
      if (sources.has(key)) continue;
      this.#drafts.delete(key);
      this.#registry.retain(key, []);
    }
    const incomplete: FolderSource[] = [];
    for (const source of sources.values()) if (!(await this.#listFolder(source))) incomplete.push(source);
    // Logs moved between two folders can only be added once the folder they left has been listed.
    for (const source of incomplete) await this.#putSessions(source);
    this.#facts.keepOnly(this.#listedPaths());
    await this.#countOutside();
  }

  /** Lists those folders again in which kept files are missing: the first listing knew of none. */
  async #listKept(): Promise<void> {
    const listed = this.#listedPaths();
    const sources = new Map<string, FolderSource>();
    for (const { source } of this.#drafts.values()) sources.set(source.path, source);
    const due = new Set<FolderSource>();
    for (const path of keptFiles()?.paths() ?? []) {
      await nextSlice();
      if (listed.has(path) || isOnDisk(path)) continue;
      const source = sourceAbove(path, sources);
      // If a log's folder is gone, that folder has to be found first.
      if (source?.extent !== "all" && /\.jsonl$/i.test(path)) return this.list();
      if (source) due.add(source);
    }
    for (const source of due) await this.#listFolder(source);
    if (due.size > 0) await this.#countOutside();
  }

  /** The paths of all logs, on disk or kept. */
  #listedPaths(): Set<string> {
    const paths = new Set<string>();
    for (const { draft } of this.#drafts.values()) {
      for (const file of draft.outside) paths.add(file.path);
      for (const { main, agents } of draft.sessions) {
        if (!main.gone) paths.add(main.path);
        for (const agent of agents) paths.add(agent.path);
      }
    }
    return paths;
  }

  async #listFolder(source: FolderSource): Promise<boolean> {
    const { root, extent } = source;
    this.#begun += 1;
    const begun = this.#begun;
    const whole = await listFolder(source.path, { root, extent, warn: this.#warn });
    const listed = source.only === null ? whole : narrow(whole, source.only);
    const read = (path: string) => this.#early.factsOf(path, this.#facts.of(path));
    await this.#facts.load(root, [...listed.mains, ...listed.agents]);
    await this.#facts.load(root, agentsToRead(listed, read));
    const draft = draftSessions(listed, source, read);
    // Another listing of the folder may have begun later and ended sooner: it is more recent.
    if ((this.#drafts.get(keyOf(source))?.begun ?? 0) < begun)
      this.#drafts.set(keyOf(source), { source, draft, begun });
    return this.#putSessions(source);
  }

  /**
   * False when a log was left out because it is already listed from another folder. Calls for one folder wait for each
   * other.
   */
  #putSessions(source: FolderSource): Promise<boolean> {
    const key = keyOf(source);
    const before = this.#puts.get(key)?.catch(() => undefined) ?? Promise.resolve();
    const put = before
      .then(() => this.#putListed(source))
      .finally(() => {
        if (this.#puts.get(key) === put) this.#puts.delete(key);
      });
    this.#puts.set(key, put);
    return put;
  }

  async #putListed(source: FolderSource): Promise<boolean> {
    const ids: SessionId[] = [];
    const sessions = this.#drafts.get(keyOf(source))?.draft.sessions ?? [];
    this.#registry.dropMoved(keyOf(source), new Set(sessions.map(({ main }) => main.path)));
    for (const draft of sessions) {
      await nextSlice();
      const id = this.#registry.put(source, draft);
      if (id !== null) ids.push(id);
    }
    this.#registry.retain(keyOf(source), ids);
    return ids.length === sessions.length;
  }

  async #countOutside(): Promise<void> {
    await this.#outside.count(this.outsideFiles(), (path) => this.#facts.of(path).facts.lines);
  }
}

/** The innermost of these folders, by path, that contains a file at any depth. */
function sourceAbove(path: string, sources: ReadonlyMap<string, FolderSource>): FolderSource | null {
  const folder = dirname(path);
  if (folder === path) return null;
  return sources.get(folder) ?? sourceAbove(folder, sources);
}

function keyOf(source: FolderSource): string {
  return `${source.path}\n${source.only ?? ""}`;
}
