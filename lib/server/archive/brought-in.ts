import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { OF_CLIENT } from "./files-to-keep";
import type { KeptFile } from "./manifest";

/** Where a kept file is to stand in the archive that it is brought to. */
export type Placed = (file: KeptFile) => KeptFile;

/**
 * Gives the files of another machine, where a home folder may be called otherwise, the places that they have in this
 * one's configuration folder: under a path that is nowhere here no reader would look for them. Files stay where they are
 * if their own folder is on this disk, or if this archive has others of it: that disk may only be away.
 *
 * @param home this machine's configuration folder, a real path
 * @param known what the archive has already
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

/** Null for what was in no configuration folder: of that it is not known where it would be here. */
function placeIn(home: string, { root, path }: KeptFile): { root: string; path: string } | null {
  const separator = root.includes("/") ? "/" : "\\";
  if (!path.startsWith(root + separator)) return null;
  const [name = "", ...below] = path.slice(root.length + 1).split(separator);
  if (!OF_CLIENT.includes(name)) return null;
  const place = join(/*turbopackIgnore: true*/ home, name);
  // Each of the client's folders may be a link of its own.
  return { root: home, path: join(existsSync(place) ? realpathSync.native(place) : place, ...below) };
}
