/** The last part of a path and the folder it lies in, for `courier ~/src`. Both kinds of slash. */
export function splitPath(path: string): { name: string; folder: string } {
  const trimmed = path.replace(/[\\/]+$/, "");
  const cut = Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("\\"));
  if (cut < 0) return { name: trimmed || path, folder: "" };
  return { name: trimmed.slice(cut + 1), folder: trimmed.slice(0, cut) || trimmed.slice(0, 1) };
}

/**
 * A path with the home folder as `~`, where it can be told from the path alone: `/home/x`, `/Users/x`,
 * `/root`, `C:\Users\x`.
 */
export function shortenHome(path: string): string {
  return path.replace(/^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=$|[\\/])/, "~");
}
