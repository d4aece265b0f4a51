import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { OF_CLIENT } from "./files-to-keep";
import type { KeptFile } from "./manifest";

/** The path of a kept file in the archive that it is brought into. */
export type Placed = (file: KeptFile) => KeptFile;

/**
 * Why a file keeps its path: its own folder is on this disk, or this archive has other files of it, or it is from no
 * configuration folder, or there is no configuration folder here that it could be moved to.
 */
export type WhyStays = "on-disk" | "in-archive" | "no-config" | "no-home";

/**
 * Gives files of another machine, whose home folder may have another name, a path in this machine's configuration
 * folder: no reader would look for them under a path that does not exist here. Files keep their paths if their own
 * folder is on this disk, or if this archive has other files of it: that disk may only be unmounted.
 * @param home this machine's configuration folder, a real path; `null` where there is none
 * @param known what the archive contains already
 * @returns `whyStays` is the reason for a file that `placed` leaves where it is
 */
export function broughtTo(
  home: string | null,
  known: readonly KeptFile[],
): { placed: Placed; whyStays: (file: KeptFile) => WhyStays | null } {
  const kept = new Set(known.map(({ root }) => root));
  const onDisk = new Map<string, boolean>();
  const isOnDisk = (root: string) => {
    const found = onDisk.get(root) ?? existsSync(root);
    onDisk.set(root, found);
    return found;
  };
  const whyStays = (file: KeptFile): WhyStays | null => {
    if (isOnDisk(file.root)) return "on-disk";
    if (pathInConfig(file) === null) return "no-config";
    if (kept.has(file.root)) return "in-archive";
    return home === null ? "no-home" : null;
  };
  const placed: Placed = (file) =>
    home === null || whyStays(file) !== null ? file : { ...file, ...placeIn(home, file) };
  return { placed, whyStays };
}

/** The names that lead to a file in its configuration folder; null for a file from none: its path here is not known. */
function pathInConfig({ root, path }: KeptFile): string[] | null {
  const separator = root.includes("/") ? "/" : "\\";
  if (!path.startsWith(root + separator)) return null;
  const names = path.slice(root.length + 1).split(separator);
  return OF_CLIENT.includes(names[0] ?? "") ? names : null;
}

function placeIn(home: string, file: KeptFile): { root: string; path: string } | null {
  const [name, ...below] = pathInConfig(file) ?? [];
  if (name === undefined) return null;
  const place = join(/*turbopackIgnore: true*/ home, name);
  // Each of the client's folders may be a link of its own.
  return { root: home, path: join(existsSync(place) ? realpathSync.native(place) : place, ...below) };
}
