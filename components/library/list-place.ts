/** Where the reader was in a list, so that coming back from a session does not start at the top. */
type Place = { offsetPx: number; cursorKey: string | null };

const TOP: Place = { offsetPx: 0, cursorKey: null };
let last: { search: string; place: Place } = { search: "", place: TOP };

/** Keeps what has changed of the place in the list at this address, until another list replaces it. */
export function rememberPlace(search: string, change: Partial<Place>): void {
  last = { search, place: { ...listPlace(search), ...change } };
}

/** The place kept for the list at this address, else its top. Gone with a reload. */
export function listPlace(search: string): Place {
  return last.search === search ? last.place : TOP;
}
