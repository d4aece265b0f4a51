import type { Catalog } from "@/lib/server/library/catalog";
import { LibraryTotals } from "@/lib/server/library/library-totals";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionNumbers } from "@/lib/server/library/session-numbers";
import { bytesOf } from "@/lib/server/library/session-signature";
import { titleLine } from "@/lib/server/library/session-summary";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { StoredEntry, StoredTitles } from "@/lib/server/scan/stored-session";
import type { SessionId } from "@/lib/wire/ids";
import { bytesOf as bytesRead } from "./active-session-cache";
import type { LibraryIndex } from "./library-index";
import { ReadSessions } from "./read-sessions";
import { scanFailure } from "./scan-failure";

/** What scans have found of the library's sessions: their entries, and what they add to totals. */
export class ScannedLibrary {
  readonly #catalog: Catalog;
  readonly #index: Pick<LibraryIndex, "index" | "state">;
  readonly read = new ReadSessions();
  readonly totals = new LibraryTotals();
  #revision = 0;

  constructor(catalog: Catalog, index: Pick<LibraryIndex, "index" | "state">) {
    this.#catalog = catalog;
    this.#index = index;
  }

  /** Grows with every session that is scanned. */
  get revision(): number {
    return this.#revision;
  }

  /** What a query's filters ask about a session; null until it has been scanned. */
  facets(id: SessionId): SessionFacets | null {
    return this.read.get(id)?.entry.facets ?? null;
  }

  /** How far each log of a session is in the index: bytes by the log's key. Null where there is no index. */
  indexedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    const read = this.read.get(id);
    if (!read?.isStored || this.#index.state.path === null) return null;
    return new Map(read.entry.files.map(({ key, bytes }) => [key, bytes]));
  }

  /** Reads what is new of a session; what is wrong with it is told in the list. @param isOneOfMany another thread may read it */
  async scan(id: SessionId, isOneOfMany: boolean): Promise<void> {
    try {
      // Taken before the scan: what is appended meanwhile makes the session due again.
      const files = this.#catalog.sessionFiles(id);
      const read = this.totals.has(id) ? this.read.get(id)?.entry.files : undefined;
      const sharedBytes = read ? bytesRead(read) : null;
      const { entry, share, goesOn, isStored } = await this.#index.index(files, isOneOfMany, sharedBytes);
      if (goesOn) this.totals.goOn(id, share);
      else this.totals.put(id, share);
      this.take(files, entry, isStored);
    } catch (error) {
      this.#catalog.setProblem(id, scanFailure(error));
    }
  }

  /** Shows what an entry says of these files in the list. */
  take(files: SessionFiles, entry: StoredEntry, isStored: boolean): void {
    this.#revision += 1;
    this.read.put(files, entry, isStored);
    this.#catalog.setNumbers(files.id, { ...entry.numbers, ...titleOf(entry.titles) }, bytesOf(files));
  }

  /** Drops what was found of sessions that are no longer listed. */
  dropGone(): void {
    const listed = new Set(this.#catalog.summaries().map(({ id }) => id));
    this.read.keepOnly(listed);
    this.totals.keepOnly(listed);
  }
}

/** A person's own title wins over a generated one. Without either the first pass's stays. */
function titleOf({ custom, ai }: StoredTitles): Pick<SessionNumbers, "title" | "titleSource"> {
  const title = titleLine(custom ?? ai ?? "");
  return title === "" ? {} : { title, titleSource: custom === null ? "ai" : "custom" };
}
