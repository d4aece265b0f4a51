import { explainFault, faultCode, isMissing } from "@/lib/server/disk/file-fault";
import type { FoundFile } from "@/lib/server/disk/folder-entries";
import { nextSlice } from "@/lib/server/runtime/next-slice";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { noFacts } from "./log-facts";
import { readLogFacts } from "./read-log-facts";
import type { ReadFacts } from "./session-draft";

/** What was read of a log's ends, and what the file was then. */
export type KnownFacts = Pick<FoundFile, "dev" | "ino" | "bytes" | "mtimeMs"> & { read: ReadFacts };

const UNREAD: ReadFacts = { facts: noFacts(), problem: null };

/** Facts of logs, read again only where a log's size, identity or time is another than before. */
export class FactsCache {
  #revision = 0;
  readonly #known = new Map<string, KnownFacts>();

  /** Takes over what an earlier run read; each log is still compared with its file. */
  takeOver(known: Iterable<[path: string, known: KnownFacts]>): void {
    for (const [path, facts] of known) this.#known.set(path, facts);
    this.#revision = 0;
  }

  /** Everything known, for a later run. */
  entries(): [path: string, known: KnownFacts][] {
    return [...this.#known];
  }

  /** How many logs have been read. */
  get revision(): number {
    return this.#revision;
  }

  /** Of a log not asked for yet: empty facts. */
  of(path: string): ReadFacts {
    return this.#known.get(path)?.read ?? UNREAD;
  }

  async load(root: string, files: readonly FoundFile[]): Promise<void> {
    for (const file of files) {
      if (!this.#isFresh(file)) this.#read(root, file);
      await nextSlice();
    }
  }

  /** Forgets every log that is not in `paths`. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
  }

  #isFresh(file: FoundFile): boolean {
    const known = this.#known.get(file.path);
    return (
      known?.read.problem === null && // a file that could not be read is tried again
      known.bytes === file.bytes &&
      known.ino === file.ino &&
      known.dev === file.dev &&
      known.mtimeMs === file.mtimeMs
    );
  }

  #read(root: string, file: FoundFile): void {
    const { dev, ino, bytes, mtimeMs } = file;
    this.#revision += 1;
    this.#known.set(file.path, { dev, ino, bytes, mtimeMs, read: readFacts(root, file) });
  }
}

function readFacts(root: string, file: FoundFile): ReadFacts {
  if (file.bytes === 0) return { facts: { ...noFacts(), lines: 0 }, problem: null };
  try {
    return { facts: readLogFacts(root, file.path, file.bytes), problem: null };
  } catch (error) {
    const fault = isViewerError(error) ? error : faultCode(error) === null ? null : explainFault(error);
    if (fault === null) throw error;
    // Deleted since the folder was listed: gone from the next listing as well.
    if (fault.code === "file-gone" || isMissing(error)) return UNREAD;
    const { code, message, hint } = fault;
    return { facts: noFacts(), problem: { code, message, hint } };
  }
}
