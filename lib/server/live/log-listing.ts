import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { LogPaths } from "./log-paths";

/** What a listing has found. */
type Listed = {
  /** Sessions came or went. */
  isOtherSet: boolean;
  /** The sessions of the paths that were added. */
  ofPaths: SessionId[];
  /** The sessions that were not listed before. */
  came: SessionId[];
  /** All folders were listed, so what else was written is not known, and these sessions may have been. */
  unknown: { missed: SessionId[]; grown: SessionId[] } | null;
  /** How many bytes each session has now. */
  bytes: ReadonlyMap<SessionId, number>;
};

/**
 * Lists folders again in which files came or went: those alone of known sessions where that is enough, and else all. What
 * is added while it lists is left for the next listing.
 */
export class LogListing {
  readonly #catalog: Catalog;
  readonly #paths: LogPaths;
  readonly #added = new Set<string>();
  readonly #missed = new Set<SessionId>();
  /** How many bytes each session had when folders were listed here last. */
  #bytes: ReadonlyMap<SessionId, number> = new Map();

  constructor(catalog: Catalog, paths: LogPaths) {
    this.#catalog = catalog;
    this.#paths = paths;
  }

  /** What is listed by now is not new. */
  begin(): void {
    this.#bytes = this.#bytesNow();
  }

  /** A file or folder of which no session is known came, went or changed. */
  add(path: string): void {
    this.#added.add(path);
  }

  /** A session did not exist when it was read: its return may have been missed. */
  miss(id: SessionId): void {
    this.#missed.add(id);
  }

  /** Lists what was added and missed since the last time; all folders where nothing was. */
  async list(): Promise<Listed> {
    const paths = [...this.#added];
    const missed = [...this.#missed];
    this.#added.clear();
    this.#missed.clear();
    const before = this.#bytes;
    const isPart = missed.length === 0 && paths.length > 0 && (await this.#listAround(paths));
    if (!isPart) await this.#catalog.listAnew();
    this.#paths.forget();
    const bytes = this.#bytesNow();
    this.#bytes = bytes;
    const grown = [...bytes.keys()].filter((id) => before.get(id) !== bytes.get(id));
    return {
      isOtherSet: before.size !== bytes.size || [...before.keys()].some((id) => !bytes.has(id)),
      ofPaths: paths.map((path) => this.#paths.sessionOf(path)).filter((id) => id !== null),
      came: [...bytes.keys()].filter((id) => !before.has(id)),
      unknown: isPart ? null : { missed, grown },
      bytes,
    };
  }

  /** Lists the folders of known sessions that are listed with these paths. False where that does not find all of them. */
  async #listAround(paths: readonly string[]): Promise<boolean> {
    const neighbours = paths.map((path) => this.#paths.neighbourOf(path)).filter((id) => id !== null);
    if (neighbours.length < paths.length) return false;
    try {
      for (const id of new Set(neighbours)) await this.#catalog.refresh(id);
      return true;
    } catch (error) {
      // One of them is there no longer.
      if (isViewerError(error)) return false;
      throw error;
    }
  }

  #bytesNow(): ReadonlyMap<SessionId, number> {
    return new Map(this.#catalog.summaries().map(({ id, bytes }) => [id, bytes]));
  }
}
