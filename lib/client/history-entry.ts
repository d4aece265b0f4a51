/**
 * What the page keeps with an entry of the browser's history, beside what the router has there. It survives a reload
 * and a visit to another page.
 */
export type HistoryEntry = {
  /** The query of the address below, where this entry was opened from it. */
  under?: string;
  /** Entries of one ground show the thread at one place; only what lies over or beside it differs. */
  ground?: string;
};

/** The field of `history.state`. */
const FIELD = "backscroll";

/** The router's own fields. */
const OF_ROUTER = ["__NA", "__PRIVATE_NEXTJS_INTERNALS_TREE"];

/** As it was read or written last: a write to the address takes the field away, and it is put back. */
let entry: HistoryEntry = {};
/** Where the reader was on each ground. What is kept has the shape that whoever keeps it gives it. */
const places = new Map<string, unknown>();
/** Where the tab keeps them through a reload: a write to the history would end a way back that is under way. */
const KEY = "backscroll.places";
const MAX_KEPT = 40;
let grounds = 0;

function stateOf(): Record<string, unknown> {
  return (window.history.state as Record<string, unknown> | null) ?? {};
}

/** Reads the entry that the browser is at now, after it has gone to another. */
export function readEntry(): HistoryEntry {
  entry = (stateOf()[FIELD] as HistoryEntry | undefined) ?? {};
  return entry;
}

/** The entry as it was read or written last. */
export function currentEntry(): HistoryEntry {
  return entry;
}

/** Puts the entry where the browser keeps it. `href`: its address, where that is not there yet. */
export function putEntry(next: HistoryEntry = entry, href?: string): void {
  entry = next;
  window.history.replaceState({ ...stateOf(), [FIELD]: entry }, "", href);
}

/** What the router keeps with the entry that the browser is at. */
export function routerState(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stateOf()).filter(([name]) => OF_ROUTER.includes(name)));
}

/**
 * Gives the entry that the browser has come to its address, and tells the router of that as of one that the page has
 * written. `router`: what it kept with the entry before, of the same page. By itself it would go back to what it
 * knew when the entry was made, and after a reload ask the server for the page, or load it anew.
 */
export function arriveAt(href: string, router: Record<string, unknown>, arrived: HistoryEntry): void {
  // With its fields it takes a write for its own, and is not told.
  window.history.replaceState({ ...stateOf(), ...router }, "", href);
  window.history.replaceState(null, "", href);
  putEntry(arrived);
}

/**
 * Makes an entry at once: what writes the address otherwise does that a moment later, when the reader may have gone
 * back already. The second argument is the mark by which it knows its own writes.
 */
export function pushEntry(href: string, pushed: HistoryEntry): void {
  window.history.pushState(null, "__nuqs__", href);
  putEntry(pushed);
}

/** A name for a ground that no entry has yet. */
export function newGround(): string {
  grounds += 1;
  return `${Date.now().toString(36)}.${grounds}`;
}

/** Keeps where the reader is on the ground of this entry. */
export function keepPlace(place: unknown): void {
  const { ground } = entry;
  if (ground === undefined) return;
  readPlaces();
  // The newest are the last.
  places.delete(ground);
  places.set(ground, place);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...places].slice(-MAX_KEPT)));
  } catch {
    // Refused by the browser: they last as long as the page.
  }
}

/** Where the reader was when this entry's ground was left, or the page; `null` where that is not known. */
export function keptPlace(): unknown {
  readPlaces();
  return places.get(entry.ground ?? "") ?? null;
}

function readPlaces(): void {
  if (places.size > 0) return;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    if (Array.isArray(kept))
      for (const [ground, place] of kept as [string, unknown][]) places.set(ground, place);
  } catch {
    // Refused, or written by something else.
  }
}
