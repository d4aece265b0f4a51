import { existsSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { explainFault, faultCode } from "@/lib/server/disk/file-fault";
import type { RootFolder } from "@/lib/server/runtime/config";
import { nextSlice, type RequestCount, untilQuiet } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { ArchiveResponse } from "@/lib/wire/archive";
import type { Health } from "@/lib/wire/library";
import { Archive } from "./archive";
import { keptByRules, readArchiveSettings } from "./archive-settings";
import { GROUPS_AT_ONCE, inGroups, type Member, Together, workAtOnce } from "./at-once";
import { filesToKeep, fileToKeep, type ListedFile } from "./files-to-keep";
import { isUnchanged } from "./keep-file";
import type { KeptNews } from "./kept-listing";
import { keptSessions } from "./kept-sessions";
import { type KeptFile, statsOf } from "./manifest";
import { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

/** Keep these files, or all with `null`; tell what is kept. */
export type ArchiveTask = { kind: "keep"; paths: readonly string[] | null } | { kind: "status" };

/** What a server knows of its archive. `failed`: the store could not be written, so more is due. */
export type ArchiveStatus = Omit<ArchiveResponse, "enabled" | "path" | "filling"> & {
  enabled: boolean;
  failed: boolean;
};

export type ArchiveProgress = NonNullable<ArchiveResponse["filling"]>;

/** What a thread tells while it does a task, and with its answer. */
export type ArchiveNews = { progress: ArchiveProgress; kept: KeptNews };
export type ArchiveAnswer = { status: ArchiveStatus; kept: KeptNews };

/** What a thread is started with. */
export type ArchiveStart = { folder: string; roots: readonly RootFolder[]; requests: RequestCount };

type Problem = Health["warnings"][number];

const DAY_MS = 86_400_000;

/** Keeps the files of some roots in the archive of a folder, one task after another. */
export class ArchiveWorker {
  readonly #folder: string;
  readonly #roots: readonly RootFolder[];
  readonly #folderStore: FolderStore;
  #opened: Promise<Opened> | null = null;
  #fault: Problem | null = null;
  #full: Problem | null = null;
  /** Files that could not be read, and why. */
  readonly #unread = new Map<string, string>();
  /** The files that are being kept, by their paths. */
  readonly #atWork = new Map<string, Promise<void>>();
  #collectedAtMs = 0;
  #isFilling = false;
  #news: KeptNews = { isAll: false, files: [] };

  constructor({ folder, roots }: Pick<ArchiveStart, "folder" | "roots">) {
    this.#folder = folder;
    this.#roots = roots;
    this.#folderStore = new FolderStore(folder);
  }

  /** Rejects only with bugs: whatever the store or a file refuses is one of the problems. */
  async do(task: ArchiveTask, tell: (progress: ArchiveProgress) => void): Promise<ArchiveStatus> {
    try {
      // What is written just now need not know what else was removed.
      const opened = task.kind === "keep" && task.paths ? await this.#open() : await this.#openNewest();
      if (task.kind === "keep") {
        this.#isFilling ||= task.paths === null;
        await this.#keep(opened, task.paths, tell).finally(() => {
          if (task.paths === null) this.#isFilling = false;
        });
        this.#fault = null;
        if (task.paths === null) await this.#collect(opened);
      }
      // While everything is looked through, whoever asks how far it is takes no time from it.
      if (task.kind === "status" ? !this.#isFilling : task.paths === null) opened.countSessions();
      return this.#status(opened, readArchiveSettings(this.#folder).enabled);
    } catch (error) {
      this.#fault = this.#explain(error);
      return this.#status(await this.#opened?.catch(() => null), true);
    }
  }

  /** What is kept, for whoever lists it; the first time all, then what is new. */
  takeNews(): KeptNews {
    const news = this.#news;
    this.#news = { isAll: false, files: [] };
    return news;
  }

  /** What is kept is read once; a store that cannot be read is tried again with the next task. */
  #open(): Promise<Opened> {
    this.#opened ??= Opened.of(this.#folderStore).then((opened) => {
      this.#news = { isAll: true, files: opened.list() };
      opened.onChange = (path, file) => this.#news.files.push([path, file && statsOf(file)]);
      return opened;
    });
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  /** The same, read again where somebody has removed something or brought it in. */
  async #openNewest(): Promise<Opened> {
    const opened = await this.#open();
    if ((await opened.archive.lastChange()) === opened.lastChange) return opened;
    this.#opened = null;
    return this.#open();
  }

  async #keep(
    opened: Opened,
    paths: readonly string[] | null,
    tell: (progress: ArchiveProgress) => void,
  ): Promise<void> {
    const settings = readArchiveSettings(this.#folder);
    if (!settings.enabled) return;
    const files = keptByRules(settings, paths ? this.#listedAt(paths) : await filesToKeep(this.#roots));
    // The client removes the oldest first.
    files.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs);
    const due = files.filter((file) => !opened.isKept(file));
    const progress = {
      filesDone: files.length - due.length,
      filesTotal: files.length,
      bytesDone: 0,
      bytesTotal: sum(files, ({ stats }) => stats.size),
    };
    progress.bytesDone = progress.bytesTotal - sum(due, ({ stats }) => stats.size);
    tell(progress);
    this.#full = null;
    const { maxStoredBytes } = settings;
    const isLook = paths === null;
    const keepNext = async (group: readonly ListedFile[]) => {
      if (maxStoredBytes !== null && opened.store.storedBytes >= maxStoredBytes) {
        this.#full = archiveFull(this.#folder, maxStoredBytes);
        return;
      }
      // What was written just now is kept between two groups.
      await nextSlice();
      await untilQuiet();
      const together = new Together(group.length);
      await workAtOnce(
        group,
        (file) => this.#keepAlone(opened, file, together.member(), isLook),
        group.length,
      );
      progress.filesDone += group.length;
      progress.bytesDone += sum(group, ({ stats }) => stats.size);
      tell(progress);
    };
    // Where room is short it is not exceeded by several at once.
    const isTight = maxStoredBytes !== null;
    const groups = isTight ? due.map((file) => [file]) : inGroups(due, ({ stats }) => stats.size);
    await workAtOnce(groups, keepNext, isTight ? 1 : GROUPS_AT_ONCE);
  }

  /**
   * One file is kept once at a time: two who read on in it would pack the same bytes, and one of them for nothing. While
   * everything is looked through, what is being kept anyway is passed over; whoever was told of a file waits, since it may
   * have been written since the other began.
   */
  async #keepAlone(opened: Opened, file: ListedFile, member: Member, isLook: boolean): Promise<void> {
    const { path } = file.source;
    if (isLook && this.#atWork.has(path)) return member.isReady();
    for (let other = this.#atWork.get(path); other; other = this.#atWork.get(path)) await other;
    const work = this.#keepOne(opened, file, member).finally(() => this.#atWork.delete(path));
    // Who waits for it only waits; what it meets is its own.
    this.#atWork.set(
      path,
      work.catch(() => undefined),
    );
    await work;
  }

  async #keepOne(opened: Opened, file: ListedFile, member: Member): Promise<void> {
    const { path } = file.source;
    try {
      await opened.keep(file, member.others);
      this.#unread.delete(path);
    } catch (error) {
      if (!isViewerError(error)) {
        // It was removed since it was listed.
        if (faultCode(error) === "ENOENT" && !existsSync(path)) return;
        throw error;
      }
      if (error.code !== "file-gone") this.#unread.set(path, error.message);
    } finally {
      member.isReady();
    }
  }

  #listedAt(paths: readonly string[]): ListedFile[] {
    return paths.flatMap((path) => fileToKeep(this.#roots, path) ?? []);
  }

  /** Once a day what nothing needs any more goes, such as the short chunks of logs that grew. */
  async #collect({ archive, store }: Opened): Promise<void> {
    if (Date.now() - this.#collectedAtMs < DAY_MS) return;
    this.#collectedAtMs = Date.now();
    this.#folderStore.recover(Date.now() - DAY_MS);
    const { storedBytes } = await archive.collect().catch((error: unknown) => {
      // Then nothing is removed; `verify` says what is damaged.
      if (isViewerError(error)) return { storedBytes: 0 };
      throw error;
    });
    store.storedBytes -= storedBytes;
  }

  #status(opened: Opened | null | undefined, enabled: boolean): ArchiveStatus {
    const [unread] = this.#unread;
    const problems = [this.#fault, this.#full, unread ? filesUnread(this.#unread.size, unread) : null];
    return {
      enabled,
      failed: this.#fault !== null,
      ...(opened?.totals() ?? NOTHING),
      problems: problems.filter((problem) => problem !== null),
    };
  }

  #explain(error: unknown): Problem {
    if (isViewerError(error)) {
      const { code, message, hint } = error;
      return { code, message, hint, path: this.#folder };
    }
    const code = faultCode(error);
    if (code === null) throw error;
    const { message, hint } = FAULTS.get(code) ?? explainFault(error);
    return {
      code: "archive-unwritable",
      message: `New lines are not kept in the archive: ${message}`,
      hint: `${hint} It is tried again by itself; everything else works. --archive-dir DIR names another folder, --no-archive keeps nothing.`,
      path: this.#folder,
    };
  }
}

const FAULTS = new Map<string, { message: string; hint: string }>([
  ["ENOSPC", { message: "the disk is full", hint: "Make room." }],
  ["EDQUOT", { message: "the disk quota is used up", hint: "Make room." }],
  ["EROFS", { message: "the disk is read-only", hint: "Make it writable." }],
  ["EACCES", { message: "its folder may not be written", hint: "Check who may write it." }],
  [
    "EPERM",
    {
      message: "its folder may not be written, or its disk knows no hard links",
      hint: "Check who may write it, or use a disk with another file system.",
    },
  ],
  ["EEXIST", { message: "a file lies where its folder should be", hint: "Move that file away." }],
  ["ENOTDIR", { message: "a file lies where its folder should be", hint: "Move that file away." }],
  ["ENOTSUP", { message: "its disk knows no hard links", hint: "Use one with another file system." }],
]);

function archiveFull(path: string, maxBytes: number): Problem {
  return {
    code: "archive-full",
    message: `The archive has reached its limit of ${Math.round(maxBytes / 1e6)} MB: new lines are not kept`,
    hint: "Raise the limit in the settings, or remove what is not needed with backscroll archive remove.",
    path,
  };
}

function filesUnread(count: number, [path, message]: readonly [string, string]): Problem {
  return {
    code: "archive-unread",
    message: `${count} ${count === 1 ? "file is" : "files are"} not kept: ${message}`,
    hint: "Check who may read it.",
    path,
  };
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

/** An archive with what is kept in it at hand, by path. */
class Opened {
  readonly archive: Archive;
  readonly store: MeasuredStore;
  /** As it was before the files were read. */
  lastChange: string | null = null;
  readonly #files = new Map<string, KeptFile>();
  /** Told of every file that is kept anew; null: no longer at that path. */
  onChange: (path: string, file: KeptFile | null) => void = () => undefined;
  /** Paths by a file's name, and by its inode: some of them may have moved on. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #byInode = new Map<string, string>();
  /** Those that another path is about to take over. */
  readonly #moving = new Set<KeptFile>();
  #keptOnly = 0;

  private constructor(store: MeasuredStore) {
    this.store = store;
    this.archive = new Archive(store);
  }

  static async of(folder: FolderStore): Promise<Opened> {
    const opened = new Opened(await MeasuredStore.of(folder));
    opened.lastChange = await opened.archive.lastChange();
    for (const file of await opened.archive.files()) opened.#put(file);
    return opened;
  }

  list(): KeptNews["files"] {
    return [...this.#files].map(([path, file]) => [path, statsOf(file)]);
  }

  isKept({ source, stats }: ListedFile): boolean {
    const known = this.#files.get(source.path);
    return known !== undefined && isUnchanged(known, stats);
  }

  async keep({ source, stats }: ListedFile, others: () => Promise<void>): Promise<void> {
    const known = this.#files.get(source.path) ?? null;
    const moved = known ? null : this.#gone(source.path, stats);
    if (moved) this.#moving.add(moved);
    const file = await this.archive
      .keep(source, known, moved, others)
      .finally(() => moved && this.#moving.delete(moved));
    if (file !== known) this.#put(file);
    if (!moved || !file.movedFrom.includes(moved.path)) return;
    this.#files.delete(moved.path);
    this.onChange(moved.path, null);
  }

  /** A kept file that lies no longer where it was, and may now be at this path: of its name, or its inode. */
  #gone(path: string, stats: Stats): KeptFile | null {
    const named = this.#byName.get(basename(path)) ?? [];
    for (const at of [this.#byInode.get(inodeOf(stats)) ?? "", ...named]) {
      const file = this.#files.get(at);
      if (file && !this.#moving.has(file) && !existsSync(at)) return file;
    }
    return null;
  }

  #put(file: KeptFile): void {
    const { path } = file;
    const name = basename(path);
    this.#files.set(path, file);
    this.#byInode.set(inodeOf(file), path);
    this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(path));
    this.onChange(path, file);
  }

  /** Looks which sessions are still on disk. */
  countSessions(): void {
    this.#keptOnly = keptSessions([...this.#files.values()]).filter(({ isGone }) => isGone).length;
  }

  totals(): Totals {
    const totals: Totals = { ...NOTHING, files: this.#files.size, keptOnly: this.#keptOnly };
    totals.storedBytes = this.store.storedBytes;
    for (const { bytes, keptAtMs } of this.#files.values()) {
      totals.bytes += bytes;
      totals.lastKeptAtMs = Math.max(totals.lastKeptAtMs ?? 0, keptAtMs);
    }
    return totals;
  }
}

function inodeOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev}:${ino}`;
}

type Totals = Pick<ArchiveStatus, "files" | "bytes" | "storedBytes" | "keptOnly" | "lastKeptAtMs">;

const NOTHING: Totals = { files: 0, bytes: 0, storedBytes: 0, keptOnly: 0, lastKeptAtMs: null };
