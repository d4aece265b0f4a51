import { putLatest } from "@/lib/format/lists";
import type { RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { detailOfField, isWithin, type SearchField, type SearchHit } from "@/lib/wire/search";

/** Searches whose records are kept: each a page that shows where its hits are. */
const MAX_SEARCHES = 16;
/** A session may have grown since. */
const MAX_AGE_MS = 600_000;

type Found = { byField: Map<SearchField, Set<RecordId>>; isWhole: boolean; atMs: number };

/**
 * The records in which the latest searches of single sessions found something: a page requests all of them to mark a
 * thread's rows, whenever these change, and has just received the hits in a stream.
 */
export class FoundRecords {
  readonly #searches = new Map<string, Found>();

  /** Returns a function that records the hits of a search, which begins or continues. */
  note(session: string, q: string, goesOn: boolean): (hits: readonly SearchHit[], isWhole: boolean) => void {
    const key = `${session} ${q}`;
    const before = goesOn ? this.#searches.get(key) : undefined;
    const found: Found = before ?? { byField: new Map(), isWhole: false, atMs: performance.now() };
    return (hits, isWhole) => {
      for (const { field, recordId } of hits) {
        const records = found.byField.get(field);
        if (records) records.add(recordId);
        else found.byField.set(field, new Set([recordId]));
      }
      found.isWhole = isWhole;
      // A search in progress replaces the one before only when it has ended.
      if (!isWhole && this.#searches.get(key)?.isWhole) return;
      putLatest(this.#searches, key, found, MAX_SEARCHES);
    };
  }

  /** The finds of a complete search in the fields that a detail shows; null if there was none lately. */
  of(session: string, q: string, detail: Detail): RecordId[] | null {
    const found = this.#searches.get(`${session} ${q}`);
    if (!found?.isWhole || performance.now() - found.atMs > MAX_AGE_MS) return null;
    return [...found.byField].flatMap(([field, records]) =>
      field !== "title" && isWithin(detailOfField(field), detail) ? [...records] : [],
    );
  }
}
