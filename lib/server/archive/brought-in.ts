import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { OF_CLIENT } from "./files-to-keep";
import type { KeptFile } from "./manifest";

/** The path of a kept file in the archive that it is brought into. */
export type Placed = (file: KeptFile) => KeptFile;

/**
 * Gives files of another machine, whose home folder may have another name, a path in this machine's configuration
 * folder: no reader would look for them under a path that does not exist here. Files keep their paths if their own
 * folder is on this disk, or if this archive has other files of it: that disk may only be unmounted.
 * @param home this machine's configuration folder, a real path
 * @param known what the archive contains already
 */
export function broughtTo(home: string, known: readonly KeptFile[]): Placed {
  const roots = new Map(known.map(({ root }) => [root, true]));
  const isHere = (root: string) => {
    const found = roots.get(root) ?? existsSync(root);
    roots.set(root, found);
    return found;
  };
  return (file) => (isHere(file.root) ? file : { ...file, ...placeIn(home, file) });
}

/** Null for a file from no configuration folder: its path here is not known. */
function placeIn(home: string, { root, path }: KeptFile): { root: string; path: string } | null {
  const separator = root.includes("/") ? "/" : "\\";
  if (!path.startsWith(root + separator)) return null;
  const [name = "", ...below] = path.slice(root.length + 1).split(separator);
  if (!OF_CLIENT.includes(name)) return null;
  const place = join(/*turbopackIgnore: true*/ home, name);
  // Each of the client's folders may be a link of its own.
  return { root: home, path: join(existsSync(place) ? realpathSync.native(place) : place, ...below) };
}
