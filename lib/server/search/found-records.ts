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
 * The records in which the latest searches of single sessions found something: a page asks for all of them to be shown
 * in a thread's rows, as often as these change, and has just been streamed the hits.
 */
export class FoundRecords {
  readonly #searches = new Map<string, Found>();

  /** Notes the hits of a search that begins, or goes on where it stopped. */
  note(session: string, q: string, goesOn: boolean): (hits: readonly SearchHit[], isWhole: boolean) => void {
    const key = `${session} ${q}`;
    const before = goesOn ? this.#searches.get(key) : undefined;
    const found: Found = before ?? { byField: new Map(), isWhole: false, atMs: Date.now() };
    return (hits, isWhole) => {
      for (const { field, recordId } of hits) {
        const records = found.byField.get(field);
        if (records) records.add(recordId);
        else found.byField.set(field, new Set([recordId]));
      }
      found.isWhole = isWhole;
      // One that is under way takes the place of the one before only when it has ended.
      if (!isWhole && this.#searches.get(key)?.isWhole) return;
      putLatest(this.#searches, key, found, MAX_SEARCHES);
    };
  }

  /** What a whole search found in the fields that a detail shows; null if there was none lately. */
  of(session: string, q: string, detail: Detail): RecordId[] | null {
    const found = this.#searches.get(`${session} ${q}`);
    if (!found?.isWhole || Date.now() - found.atMs > MAX_AGE_MS) return null;
    return [...found.byField].flatMap(([field, records]) =>
      field !== "title" && isWithin(detailOfField(field), detail) ? [...records] : [],
    );
  }
}
