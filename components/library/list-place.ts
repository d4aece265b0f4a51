/** Where the reader was in a list, so that coming back from a session does not start at the top. */
type Place = { search: string; offsetPx: number; cursorKey: string | null };

let last: Place = { search: "", offsetPx: 0, cursorKey: null };

/** Keeps the place of the list at this address, until another list replaces it or the page is reloaded. */
export function rememberPlace(search: string, offsetPx: number, cursorKey: string | null): void {
  last = { search, offsetPx, cursorKey };
}

/** The place kept for the list at this address, else its top. */
export function listPlace(search: string): Pick<Place, "offsetPx" | "cursorKey"> {
  return last.search === search ? last : { offsetPx: 0, cursorKey: null };
}
