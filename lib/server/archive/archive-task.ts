import { formatBytes, formatPlural } from "@/lib/format/format";
import { explainFault, faultCode } from "@/lib/server/disk/file-fault";
import type { RootFolder } from "@/lib/server/runtime/config";
import { nextSlice, type RequestCount, untilQuiet } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { ArchiveResponse } from "@/lib/wire/archive";
import type { Warning } from "@/lib/wire/library";
import { keptByRules, readArchiveSettings } from "./archive-settings";
import { GROUPS_AT_ONCE, inGroups, workAtOnce } from "./at-once";
import { filesToKeep, fileToKeep, type ListedFile } from "./files-to-keep";
import type { GroupKept, Helper } from "./group-keeper";
import { type FileToKeep, type KeepResult, keepGroup } from "./keep-group";
import type { KeptNews } from "./kept-listing";
import { statsOf } from "./manifest";
import { type ArchiveTotals, NOTHING, OpenedArchive } from "./opened-archive";
import { FolderStore } from "./store/folder-store";

/** Keep these files, or all with `null`; report what is kept, and with `status` how many sessions are only kept. */
export type ArchiveTask =
  | { kind: "keep"; paths: readonly string[] | null }
  | { kind: "list" }
  | { kind: "status" };

/** What a server knows about its archive. `failed`: the store could not be written, so more is due. */
export type ArchiveStatus = ArchiveTotals &
  Pick<ArchiveResponse, "problems"> & { enabled: boolean; failed: boolean };

export type ArchiveProgress = NonNullable<ArchiveResponse["filling"]>;

/** What a thread reports while it does a task, and with its answer. */
export type ArchiveNews = { progress: ArchiveProgress; kept: KeptNews };

/** What a task of the archive’s thread is answered with: how it stands, and what was kept since the last one. */
export type ArchiveAnswer = { status: ArchiveStatus; kept: KeptNews };

/** The parameters with which a thread is started. */
export type ArchiveStart = { folder: string; roots: readonly RootFolder[]; requests: RequestCount };

type Problem = Warning;

const DAY_MS = 86_400_000;
/** Starting a helping thread takes as long as packing this. */
const MIN_HELPED_BYTES = 32 * 1024 * 1024;

/** Keeps the files of some roots in the archive of a folder, one task after another. */
export class ArchiveWorker {
  readonly #folder: string;
  readonly #roots: readonly RootFolder[];
  readonly #folderStore: FolderStore;
  #opened: Promise<OpenedArchive> | null = null;
  #fault: Problem | null = null;
  #full: Problem | null = null;
  /** Files that could not be read, and why. */
  readonly #unread = new Map<string, string>();
  /** The files that are being kept, by their paths. */
  readonly #atWork = new Map<string, Promise<void>>();
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  #isFilling = false;
  readonly #startHelper: (() => Helper) | null;
  #news: KeptNews = { isAll: false, files: [] };

  /** @param startHelper starts another thread, when there is much to keep at once */
  constructor(
    { folder, roots }: Pick<ArchiveStart, "folder" | "roots">,
    startHelper: (() => Helper) | null = null,
  ) {
    this.#folder = folder;
    this.#roots = roots;
    this.#startHelper = startHelper;
    this.#folderStore = new FolderStore(folder);
  }

  /** Rejects only with bugs: every error of the store or a file is one of the problems. */
  async do(task: ArchiveTask, tell: (progress: ArchiveProgress) => void): Promise<ArchiveStatus> {
    try {
      // Keeping new lines does not require knowing what else was removed.
      const opened = task.kind === "keep" && task.paths ? await this.#open() : await this.#openNewest();
      if (task.kind === "keep") {
        this.#isFilling ||= task.paths === null;
        await this.#keep(opened, task.paths, tell).finally(() => {
          if (task.paths === null) this.#isFilling = false;
        });
        this.#fault = null;
        if (task.paths === null) await this.#collect(opened);
      }
      // While everything is checked, a request for the progress must not delay it.
      if (task.kind === "keep" && task.paths === null) opened.countSessions();
      else if (task.kind === "status" && !this.#isFilling) opened.recountSessions();
      return this.#status(opened, readArchiveSettings(this.#folder).enabled);
    } catch (error) {
      this.#fault = this.#explain(error);
      return this.#status(await this.#opened?.catch(() => null), true);
    }
  }

  /** What is kept, for the listing; the first time everything, then what is new. */
  takeNews(): KeptNews {
    const news = this.#news;
    this.#news = { isAll: false, files: [] };
    return news;
  }

  /** The archive is read once; if it cannot be read, the next task tries again. */
  #open(): Promise<OpenedArchive> {
    this.#opened ??= OpenedArchive.of(this.#folderStore).then((opened) => {
      this.#news = { isAll: true, files: opened.list() };
      opened.onChange = (path, file) => this.#news.files.push([path, file && statsOf(file)]);
      return opened;
    });
    this.#opened.catch(() => {
      this.#opened = null;
    });
    return this.#opened;
  }

  /** The same, read again if files were removed or brought in. */
  async #openNewest(): Promise<OpenedArchive> {
    const opened = await this.#open();
    if ((await opened.archive.lastChange()) === opened.lastChange) return opened;
    this.#opened = null;
    return this.#open();
  }

  async #keep(
    opened: OpenedArchive,
    paths: readonly string[] | null,
    tell: (progress: ArchiveProgress) => void,
  ): Promise<void> {
    const settings = readArchiveSettings(this.#folder);
    if (!settings.enabled) return;
    const listed = paths ? this.#listedAt(paths) : await filesToKeep(this.#roots);
    const files = keptByRules(settings, listed, opened.files());
    // Problems of files that no longer exist, or are no longer to be kept, are dropped.
    const wanted = new Set(files.map(({ source }) => source.path));
    for (const path of paths ?? [...this.#unread.keys()]) if (!wanted.has(path)) this.#unread.delete(path);
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
    // Near the size limit, several groups at once might exceed it.
    const isTight = maxStoredBytes !== null;
    const isMuch = sum(due, (file) => opened.newBytes(file)) >= MIN_HELPED_BYTES;
    const help = new Help(isMuch && !isTight ? this.#startHelper : null);
    const isLook = paths === null;
    const keepNext = async (group: readonly ListedFile[]) => {
      if (maxStoredBytes !== null && opened.store.storedBytes >= maxStoredBytes) {
        this.#full = archiveFull(this.#folder, maxStoredBytes);
        return;
      }
      // New lines are kept between two groups.
      await nextSlice();
      await untilQuiet();
      await this.#keepGroup(opened, group, help, isLook);
      progress.filesDone += group.length;
      progress.bytesDone += sum(group, ({ stats }) => stats.size);
      tell(progress);
    };
    const groups = isTight ? due.map((file) => [file]) : inGroups(due, ({ stats }) => stats.size);
    await workAtOnce(groups, keepNext, isTight ? 1 : help.groupsAtOnce).finally(() => help.end());
  }

  /**
   * A file is kept by one task at a time: two would pack the same bytes, one of them for nothing. While everything is
   * checked, files in progress are skipped; a task for a changed file waits, since the file may have been written since
   * the other began.
   */
  async #keepGroup(
    opened: OpenedArchive,
    listed: readonly ListedFile[],
    help: Help,
    isLook: boolean,
  ): Promise<void> {
    const workOn = ({ source }: ListedFile) => this.#atWork.get(source.path);
    const group = isLook ? listed.filter((file) => !workOn(file)) : listed;
    const other = () => group.map(workOn).find((work) => work !== undefined);
    for (let work = other(); work; work = other()) await work;
    const work = this.#keepFree(opened, group, help).finally(() => {
      for (const { source } of group) this.#atWork.delete(source.path);
    });
    // The waiting task only waits; errors belong to the other one.
    const ended = work.catch(() => undefined);
    for (const { source } of group) this.#atWork.set(source.path, ended);
    await work;
  }

  async #keepFree(opened: OpenedArchive, group: readonly ListedFile[], help: Help): Promise<void> {
    const wanted = group.map((file) => opened.wanted(file));
    try {
      const helped = await help.keep(wanted);
      opened.store.storedBytes += helped?.storedBytes ?? 0;
      const outcomes = helped?.outcomes ?? (await keepGroup(opened.archive, wanted));
      for (const [n, file] of wanted.entries()) {
        const outcome = outcomes[n];
        if (outcome) this.#take(opened, file, outcome);
      }
    } finally {
      for (const { moved } of wanted) if (moved) opened.moving.delete(moved);
    }
  }

  #take(opened: OpenedArchive, { source: { path }, known, moved }: FileToKeep, outcome: KeepResult): void {
    if ("kept" in outcome) {
      opened.take(outcome.kept, known, moved);
      this.#unread.delete(path);
    } else if (outcome.unread === null) this.#unread.delete(path);
    else this.#unread.set(path, outcome.unread);
  }

  #listedAt(paths: readonly string[]): ListedFile[] {
    return paths.flatMap((path) => fileToKeep(this.#roots, path) ?? []);
  }

  /** Once a day unused objects are removed, such as the short chunks of logs that grew. */
  async #collect({ archive, store }: OpenedArchive): Promise<void> {
    if (performance.now() - this.#collectedAtMs < DAY_MS) return;
    this.#collectedAtMs = performance.now();
    this.#folderStore.recover(Date.now() - DAY_MS);
    const { storedBytes } = await archive.collect().catch((error: unknown) => {
      // Then nothing is removed; `verify` names what is damaged.
      if (isViewerError(error)) return { storedBytes: 0 };
      throw error;
    });
    store.storedBytes -= storedBytes;
  }

  #status(opened: OpenedArchive | null | undefined, enabled: boolean): ArchiveStatus {
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
    message: `The archive has reached its limit of ${formatBytes(maxBytes)}: new lines are not kept`,
    hint: "Raise the limit in the settings, or remove what is not needed with backscroll archive remove.",
    path,
  };
}

function filesUnread(count: number, [path, message]: readonly [string, string]): Problem {
  return {
    code: "archive-unread",
    message: `${formatPlural(count, "file is", "files are")} not kept: ${message}`,
    hint: "Check who may read it.",
    path,
  };
}

/** Another thread that keeps some of the groups, as long as it can. */
class Help {
  #helper: Helper | null;
  #busy = 0;

  constructor(start: (() => Helper) | null) {
    this.#helper = start && start();
  }

  get groupsAtOnce(): number {
    return this.#helper ? 2 * GROUPS_AT_ONCE : GROUPS_AT_ONCE;
  }

  /** Null if it has enough to do, or has failed: then the caller does it and sees what is wrong. */
  async keep(group: readonly FileToKeep[]): Promise<GroupKept | null> {
    if (!this.#helper || this.#busy >= GROUPS_AT_ONCE) return null;
    this.#busy += 1;
    try {
      return await this.#helper.keep([...group]);
    } catch {
      this.end();
      return null;
    } finally {
      this.#busy -= 1;
    }
  }

  end(): void {
    this.#helper?.stop();
    this.#helper = null;
  }
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
