import { shortenHome } from "@/lib/format/split-path";

/** A path as seen from the session's folder: relative inside it, else with the home folder as `~`. */
export function shortenPath(path: string, root: string | null): string {
  if (root && path.length > root.length && path.startsWith(root) && /[\\/]/.test(path[root.length] ?? "")) {
    return path.slice(root.length + 1);
  }
  return shortenHome(path);
}
