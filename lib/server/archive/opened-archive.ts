import { existsSync, type Stats } from "node:fs";
import { basename } from "node:path";
import type { ArchiveResponse } from "@/lib/wire/archive";
import { Archive } from "./archive";
import type { ListedFile } from "./files-to-keep";
import { isUnchanged } from "./keep-file";
import type { FileToKeep } from "./keep-group";
import { KeptFileReader } from "./kept-file-reader";
import type { KeptNews } from "./kept-listing";
import { keptSessions, sessionNamedIn } from "./kept-sessions";
import { type KeptFile, statsOf } from "./manifest";
import type { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

/** How much is kept. */
export type ArchiveTotals = Pick<
  ArchiveResponse,
  "files" | "bytes" | "storedBytes" | "keptOnly" | "lastKeptAtMs"
>;

/** To count 17,000 sessions takes a second: no more than a tenth of the time is spent on that. */
const LONG_COUNT_MS = 50;
const REST_FACTOR = 10;

export const NOTHING: ArchiveTotals = { files: 0, bytes: 0, storedBytes: 0, keptOnly: 0, lastKeptAtMs: null };

/** Only the beginning of each log is read. */
const READ_BYTES = 1 << 20;

/** An archive with its kept files in memory, by path. */
export class OpenedArchive {
  readonly archive: Archive;
  readonly store: MeasuredStore;
  /** The archive's `lastChange` from before the files were read. */
  lastChange: string | null = null;
  readonly #files = new Map<string, KeptFile>();
  /** Called for every change of a kept file; null: no longer at that path. */
  onChange: (path: string, file: KeptFile | null) => void = () => undefined;
  /** Paths by a file's name, and by its inode: some of them may have moved on. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #byInode = new Map<string, string>();
  /** Files that another path is about to take over. */
  readonly moving = new Set<KeptFile>();
  #keptOnly = 0;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #countTookMs = 0;
  readonly #reader: KeptFileReader;
  /**
   * The sessions that agents' logs name, by their manifests: looked up once, since sessions are counted every few
   * seconds.
   */
  readonly #sessionsNamed = new Map<string, string | null>();

  private constructor(store: MeasuredStore, folder: FolderStore) {
    this.store = store;
    this.#reader = new KeptFileReader(folder, READ_BYTES);
    this.archive = new Archive(store);
  }

  /** Reads which files are kept. Rejects where that cannot be read. */
  static async of(folder: FolderStore): Promise<OpenedArchive> {
    const opened = new OpenedArchive(await MeasuredStore.of(folder), folder);
    opened.lastChange = await opened.archive.lastChange();
    for (const file of await opened.archive.files()) opened.#put(file);
    return opened;
  }

  /** All that is kept, as a listing takes it. */
  list(): KeptNews["files"] {
    return [...this.#files].map(([path, file]) => [path, statsOf(file)]);
  }

  /** All that is kept. */
  files(): Iterable<KeptFile> {
    return this.#files.values();
  }

  /** Whether the file is kept as it is on disk, judged by its stats alone. */
  isKept({ source, stats }: ListedFile): boolean {
    const known = this.#files.get(source.path);
    return known !== undefined && isUnchanged(known, stats);
  }

  /** How much of a file is to be kept, where it has only grown. */
  newBytes({ source, stats }: ListedFile): number {
    return Math.max(0, stats.size - (this.#files.get(source.path)?.bytes ?? 0));
  }

  /**
   * What `keepGroup` needs to know about a file. A file that may have moved is not offered again until it is removed
   * from `moving`.
   */
  wanted({ source, stats }: ListedFile): FileToKeep {
    const known = this.#files.get(source.path) ?? null;
    const moved = known ? null : this.#gone(source.path, stats);
    if (moved) this.moving.add(moved);
    return { source, known, moved };
  }

  /** Notes what `keepGroup` made of a file that was `wanted`. */
  take(kept: KeptFile, known: KeptFile | null, moved: KeptFile | null): void {
    if (kept.hash !== known?.hash) this.#put(kept);
    if (!moved || !kept.movedFrom.includes(moved.path)) return;
    this.#files.delete(moved.path);
    this.onChange(moved.path, null);
  }

  /** A kept file that is no longer at its path, and may now be at this one: it has the same name, or the same inode. */
  #gone(path: string, stats: Stats): KeptFile | null {
    const named = this.#byName.get(basename(path)) ?? [];
    for (const at of [this.#byInode.get(inodeOf(stats)) ?? "", ...named]) {
      const file = this.#files.get(at);
      if (file && !this.moving.has(file) && !existsSync(at)) return file;
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

  /** Checks which sessions are still on disk. */
  countSessions(): void {
    const beganMs = performance.now();
    const sessions = keptSessions([...this.#files.values()], (file) => this.#sessionNamedIn(file));
    this.#keptOnly = sessions.filter(({ isGone }) => isGone).length;
    this.#countedAtMs = performance.now();
    this.#countTookMs = this.#countedAtMs - beganMs;
  }

  /** The same, unless it was done just now and takes long: whoever looks at the settings asks every two seconds. */
  recountSessions(): void {
    const restMs = this.#countTookMs < LONG_COUNT_MS ? 0 : REST_FACTOR * this.#countTookMs;
    if (performance.now() - this.#countedAtMs >= restMs) this.countSessions();
  }

  /** An agent's log that is on disk is no session that is gone, whatever it names. */
  #sessionNamedIn(file: KeptFile): string | null {
    if (existsSync(file.path)) return null;
    const known = this.#sessionsNamed.get(file.hash);
    if (known !== undefined) return known;
    const named = sessionNamedIn(this.#reader, file);
    this.#sessionsNamed.set(file.hash, named);
    return named;
  }

  /** `keptOnly` is as of the last `countSessions`. */
  totals(): ArchiveTotals {
    const totals: ArchiveTotals = { ...NOTHING, files: this.#files.size, keptOnly: this.#keptOnly };
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
