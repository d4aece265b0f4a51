import { explainFault, faultCode } from "@/lib/server/disk/file-fault";
import {
  type FileStats,
  type KeptCopy,
  type KeptEntry,
  type KeptFiles,
  keptFiles,
  setKeptFiles,
} from "@/lib/server/disk/kept-files";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import { KeptFileReader } from "./kept-file-reader";
import type { KeptListing } from "./kept-listing";
import { type KeptFile, statsOf } from "./manifest";
import { FolderStore } from "./store/folder-store";

/** The files of the archive in a folder, for readers of files. */
export class ArchivedFiles implements KeptFiles {
  readonly place: string;
  readonly #reader: KeptFileReader;
  readonly #listing: KeptListing | null;

  /**
   * @param place the archive's folder
   * @param listing the kept files, updated by the caller; without it each file is looked up
   */
  constructor(place: string, listing: KeptListing | null = null, cacheBytes?: number) {
    this.place = place;
    this.#reader = new KeptFileReader(new FolderStore(place), cacheBytes);
    this.#listing = listing;
  }

  get revision(): number {
    return this.#listing?.revision ?? 0;
  }

  entries(folder: string): readonly KeptEntry[] {
    return this.#listing?.entries(folder) ?? [];
  }

  paths(): Iterable<string> {
    return this.#listing?.paths() ?? [];
  }

  /** Throws ViewerErrors: `archive-damaged`, `archive-unreadable`. */
  find(path: string): KeptCopy | null {
    if (!this.#listing) {
      const file = readable(() => this.#reader.find(path));
      return file && this.#open(statsOf(file), () => file);
    }
    const stats = this.#listing.find(path);
    return stats && this.#open(stats, () => this.#reader.find(path));
  }

  /** @param look finds the file when its bytes are needed, which is rare: most files are only listed */
  #open(stats: FileStats, look: () => KeptFile | null): KeptCopy {
    const reader = this.#reader;
    let file: KeptFile | null = null;
    const found = () => {
      file ??= look();
      return file;
    };
    return {
      stats,
      read: (buffer, offset, length, position) =>
        readable(() => {
          const file = found();
          const into = buffer.subarray(offset, offset + length);
          return file ? reader.read(file, position, position + length, into) : 0;
        }),
      prepare: async (length, position) => {
        const file = readable(found);
        if (file) await reader.prepare(file, position, position + length);
      },
    };
  }
}

/** The `workerData` with which a worker thread reads the same kept files as the thread that starts it. */
export type ArchiveData = { archive: string | null };

/** What to give a worker thread that is started from here. */
export function archiveData(): ArchiveData {
  return { archive: keptFiles()?.place ?? null };
}

/** A worker reads logs from beginning to end: it unpacks each chunk once. */
const WORKER_CACHE_BYTES = 8 << 20;

/**
 * Makes this worker thread read kept files, too.
 * @param data its `workerData`, made by `archiveData`
 */
export function readArchive(data: ArchiveData): void {
  setKeptFiles(data.archive === null ? null : new ArchivedFiles(data.archive, null, WORKER_CACHE_BYTES));
}

function readable<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (faultCode(error) === null || isViewerError(error)) throw error;
    const { message } = explainFault(error);
    throw new ViewerError("archive-unreadable", `The archive cannot be read: ${message}`, {
      status: 500,
      hint: "This session’s logs are gone, and its copy is in the archive. Check who may read its folder.",
      cause: error,
    });
  }
}
