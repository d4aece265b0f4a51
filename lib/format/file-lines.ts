type LinesOfFile = { path: string; from: number; to: number; before: boolean };

/** The path in a place of a file as it is copied and printed, `src/cart.ts:12`, `:12-15` or `:12:5`; a path alone as it is. */
export function pathOfPlace(place: string): string {
  return place.replace(/(?<=[^:]):\d+(?:[:-]\d+)?$/, "");
}

/**
 * `src/cart.ts:12-15`, as editors and Claude Code take it.
 * @param lines from 1, `to` included; `before`: as the file was before the change that is meant
 */
export function formatFileLines({ path, from, to, before }: LinesOfFile): string {
  return `${path}:${from}${to > from ? `-${to}` : ""}${before ? " (before the change)" : ""}`;
}
