import { basename } from "node:path";
import { shortHash } from "@/lib/server/disk/folder-entries";
import { hasInode, keptFiles } from "@/lib/server/disk/kept-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ProjectMarks, SessionMarks } from "@/lib/wire/annotations";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { FolderSource } from "./find-folders";
import type { SessionDraft } from "./session-draft";
import { type LogFile, type SessionFiles, storageOf } from "./session-files";
import { SessionIds } from "./session-ids";
import { type SessionNumbers, toSessionSummary, withMarks } from "./session-summary";

/** What is known of a listed session. `numbers`: what was counted in it; `null` until it has been scanned. */
export type SessionEntry = {
  source: FolderSource;
  draft: SessionDraft;
  files: SessionFiles;
  summary: SessionSummary;
  numbers: SessionNumbers | null;
  /** Bytes of the session's files when they were last scanned, or `null`. */
  scannedBytes: number | null;
  /** Why that scan failed. Kept until the files change. */
  scanProblem: SessionSummary["problem"];
  /** The live state, reported by the watcher; it overrides the summary. */
  live: Pick<SessionSummary, "state" | "sinceMs"> | null;
};

/** The sessions listed so far, by id, with the folder in which each was found. */
export class SessionRegistry {
  readonly ids = new SessionIds();
  readonly #entries = new Map<SessionId, SessionEntry>();
  readonly #projectIds = new Map<string, ProjectId>();
  readonly #idsOfFolder = new Map<string, SessionId[]>();
  /** A log reached by two paths (two roots, a hard link) is one session, under the path found first. */
  readonly #pathOfInode = new Map<string, string>();
  /** The same for logs that are only kept, by inode and name, since their inodes may be in use again. */
  readonly #pathOfKept = new Map<string, string>();
  #keptRevision = 0;
  /** Also of sessions that are missing: they may come back. */
  readonly #marks = new Map<SessionId, SessionMarks>();
  readonly #projectMarks = new Map<ProjectId, ProjectMarks>();

  /** Increases whenever a session is added, changed or removed. */
  revision = 0;

  has(id: SessionId): boolean {
    return this.#entries.has(id);
  }

  /** Throws ViewerError `session-not-found`. */
  get(id: SessionId): SessionEntry {
    this.#lookAtStorage();
    const entry = this.#entries.get(id);
    if (entry) return entry;
    throw new ViewerError("session-not-found", "Session not found", {
      hint: "Its log may have been deleted, or lie in a folder that this server does not read.",
    });
  }

  /** Every session, as it is now: the entries themselves, not copies. */
  entries(): SessionEntry[] {
    this.#lookAtStorage();
    return [...this.#entries.values()];
  }

  /** Adds or updates one session. Null when its log is left out because it is already listed from another folder. */
  put(source: FolderSource, draft: SessionDraft): SessionId | null {
    if (this.#isHeldElsewhere(draft)) return null;
    this.#dropKept(draft);
    const id = this.ids.idOf(draft.main.path, draft.stem);
    if (isKept(draft)) this.#pathOfKept.set(keptKeyOf(draft), draft.main.path);
    else this.#pathOfInode.set(inodeOf(draft), draft.main.path);
    this.#set(id, source, draft);
    return id;
  }

  /** Removes sessions that a folder listed before under other paths: a log that was renamed may take over an id. */
  dropMoved(folder: string, paths: ReadonlySet<string>): void {
    for (const id of this.#idsOfFolder.get(folder) ?? []) {
      const entry = this.#entries.get(id);
      if (entry && !paths.has(entry.draft.main.path)) this.#remove(id);
    }
  }

  /** Removes sessions that a folder listed before and no longer contains. */
  retain(folder: string, ids: readonly SessionId[]): void {
    const gone = new Set(this.#idsOfFolder.get(folder));
    for (const id of ids) gone.delete(id);
    for (const id of gone) this.#remove(id);
    this.#idsOfFolder.set(folder, [...ids]);
  }

  /**
   * Sets what a full scan has counted; nothing where the session is gone by now. While its files have another number of
   * bytes than `scannedBytes`, it is due again.
   */
  setNumbers(id: SessionId, numbers: SessionNumbers, scannedBytes: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return; // deleted while it was being scanned
    entry.numbers = numbers;
    entry.scanProblem = null;
    entry.scannedBytes = scannedBytes;
    this.#renewSummary(id, entry);
  }

  /** Sets what readers put on a session, whether or not it is there. */
  setMarks(id: SessionId, marks: SessionMarks | null): void {
    if (marks) this.#marks.set(id, marks);
    else this.#marks.delete(id);
    const entry = this.#entries.get(id);
    if (entry) this.#renewMarks(id, entry);
  }

  /** Sets what readers put on a project, whether or not it is there. */
  setProjectMarks(id: ProjectId, marks: ProjectMarks | null): void {
    if (marks) this.#projectMarks.set(id, marks);
    else this.#projectMarks.delete(id);
    for (const [session, entry] of this.#entries)
      if (entry.files.projectId === id) this.#renewMarks(session, entry);
  }

  /** What readers put on a project; `null` for nothing, and for a project that is not there. */
  projectMarks(id: ProjectId): ProjectMarks | null {
    return this.#projectMarks.get(id) ?? null;
  }

  #renewMarks(id: SessionId, entry: SessionEntry): void {
    const { problem } = entry.summary;
    this.#renewSummary(id, entry);
    entry.summary.problem = problem;
    this.revision += 1;
  }

  #renewSummary(id: SessionId, entry: SessionEntry): void {
    const summary = toSessionSummary(id, entry.files.projectId, entry.draft, entry.numbers);
    entry.summary = this.#marked({ ...summary, ...entry.live });
  }

  #marked(summary: SessionSummary): SessionSummary {
    return withMarks(summary, this.#marks.get(summary.id) ?? null, this.projectMarks(summary.projectId));
  }

  /** Sets the live state and since when it is so; nothing where the session is gone by now. */
  setState(id: SessionId, state: SessionSummary["state"], sinceMs: number | null): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.live = { state, sinceMs };
    entry.summary = { ...entry.summary, ...entry.live };
  }

  /** Sets why a session could not be scanned. It is not due again before its files change. */
  setProblem(id: SessionId, problem: SessionSummary["problem"]): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.scannedBytes = entry.summary.bytes; // not due again until it changes
    entry.scanProblem = problem;
    entry.summary = { ...entry.summary, problem };
  }

  /** Sessions whose files have another number of bytes than were scanned, last active first. */
  due(): SessionId[] {
    return this.entries()
      .filter((entry) => entry.scannedBytes !== entry.summary.bytes && entry.draft.problem === null)
      .sort((a, b) => (b.summary.lastActiveAtMs ?? 0) - (a.summary.lastActiveAtMs ?? 0))
      .map((entry) => entry.files.id);
  }

  /** Files and bytes of all sessions, and of those that have been scanned: how far indexing is. */
  totals(): { filesDone: number; filesTotal: number; bytesDone: number; bytesTotal: number } {
    const totals = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0 };
    for (const { files, summary, scannedBytes, draft } of this.#entries.values()) {
      const count = (files.main.gone ? 0 : 1) + files.agents.length;
      totals.filesTotal += count;
      totals.bytesTotal += summary.bytes;
      if (scannedBytes === null && draft.problem === null) continue;
      totals.filesDone += count;
      totals.bytesDone += summary.bytes;
    }
    return totals;
  }

  #projectIdOf(path: string): ProjectId {
    const id = this.#projectIds.get(path) ?? (shortHash(path, 12) as ProjectId);
    this.#projectIds.set(path, id);
    return id;
  }

  #isHeldElsewhere(draft: SessionDraft): boolean {
    const holder = this.#pathOfInode.get(inodeOf(draft));
    if (holder === undefined || holder === draft.main.path || !hasInode(logThatNames(draft))) return false;
    return !isKept(draft) || basename(holder) === basename(draft.main.path);
  }

  /** Drops the session of a kept log that is found on disk under another path: it has moved with its folder. */
  #dropKept(draft: SessionDraft): void {
    const path = isKept(draft) ? undefined : this.#pathOfKept.get(keptKeyOf(draft));
    if (path === undefined || path === draft.main.path) return;
    const id = this.entries().find(({ files }) => files.main.path === path)?.files.id;
    if (id === undefined) return;
    this.#remove(id);
    // It continues under that id: removing the old folder's sessions must not remove it.
    for (const [folder, ids] of this.#idsOfFolder)
      if (ids.includes(id))
        this.#idsOfFolder.set(
          folder,
          ids.filter((one) => one !== id),
        );
  }

  /** What is kept may change without a listing. */
  #lookAtStorage(): void {
    const revision = keptFiles()?.revision ?? 0;
    if (revision === this.#keptRevision) return;
    this.#keptRevision = revision;
    for (const entry of this.#entries.values()) {
      const storage = storageOf(entry.files);
      if (storage === entry.summary.storage) continue;
      entry.summary = { ...entry.summary, storage };
      this.revision += 1;
    }
  }

  #remove(id: SessionId): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const { path } = entry.files.main;
    if (this.#pathOfInode.get(inodeOf(entry.draft)) === path) this.#pathOfInode.delete(inodeOf(entry.draft));
    if (this.#pathOfKept.get(keptKeyOf(entry.draft)) === path)
      this.#pathOfKept.delete(keptKeyOf(entry.draft));
    this.revision += 1;
    this.ids.release(path);
    this.#entries.delete(id);
  }

  #set(id: SessionId, source: FolderSource, draft: SessionDraft): void {
    const known = this.#entries.get(id);
    const isTouched = !known || stateOf(known.draft) !== stateOf(draft);
    if (known && !isTouched && saysTheSame(known.draft, draft)) {
      // Listed again unchanged: the same object shows callers that nothing has changed.
      known.source = source;
      return;
    }
    if (isTouched) this.revision += 1;
    // Replaced by a rename: the old inode may be reused by any other file.
    if (known && (inodeOf(known.draft) !== inodeOf(draft) || isKept(draft)))
      this.#pathOfInode.delete(inodeOf(known.draft));
    if (known && !isKept(draft)) this.#pathOfKept.delete(keptKeyOf(known.draft));
    const { root, main, agents, folder, path } = draft;
    const projectId = this.#projectIdOf(path);
    const numbers = known?.numbers ?? null;
    const live = known?.live ?? null;
    const read = { ...toSessionSummary(id, projectId, draft, numbers), ...live };
    const summary = this.#marked(read);
    const scanProblem = known?.scannedBytes === summary.bytes ? known.scanProblem : null;
    summary.problem ??= scanProblem;
    const files = { id, projectId, projectPath: path, root, main, agents, folder };
    const scannedBytes = known?.scannedBytes ?? null;
    this.#entries.set(id, { source, draft, files, summary, numbers, scannedBytes, scanProblem, live });
  }
}

/** The inode that identifies a session: that of its main log, or of its first agent's if that is gone. */
function inodeOf(draft: SessionDraft): string {
  const { dev, ino } = logThatNames(draft);
  return `${dev}:${ino}`;
}

function logThatNames({ main, agents }: SessionDraft): LogFile {
  return (main.gone && agents[0]) || main;
}

/** True if the log that identifies the session is only kept. */
function isKept(draft: SessionDraft): boolean {
  return logThatNames(draft).kept === true;
}

function keptKeyOf(draft: SessionDraft): string {
  return `${inodeOf(draft)} ${basename(draft.main.path)}`;
}

/** Changes with any of a session's files. */
function stateOf({ main, agents }: SessionDraft): string {
  return [main, ...agents]
    .map(
      ({ path, dev, ino, bytes, mtimeMs, kept }) => `${path} ${dev} ${ino} ${bytes} ${mtimeMs} ${kept ?? ""}`,
    )
    .join("\n");
}

/**
 * Whether a session with unchanged files has the same summary as before. Facts are the same object until a log is read
 * again.
 */
function saysTheSame(one: SessionDraft, other: SessionDraft): boolean {
  return (
    one.facts === other.facts &&
    one.problem === other.problem &&
    one.stem === other.stem &&
    one.root === other.root &&
    one.path === other.path &&
    one.pathGuessed === other.pathGuessed &&
    one.folder === other.folder &&
    one.summaryTitle === other.summaryTitle &&
    one.main.gone === other.main.gone &&
    one.agents.every(({ metaPath, warmUp }, at) => {
      const agent = other.agents[at];
      return agent?.metaPath === metaPath && agent.warmUp === warmUp;
    })
  );
}
