import { comparablePath } from "@/lib/format/text";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { KnownFile, KnownFilesResponse } from "@/lib/wire/files";

type World = {
  catalog: Pick<Catalog, "listed" | "summaries" | "sessionFiles">;
  scanner: Pick<Scanner, "facets">;
};

/**
 * The files that sessions changed, each once, by its path as the last of them gives it; those of the latest session
 * first.
 * @param q a part of the path, in any case and with either slash; empty for all files
 * @param limit how many are listed; `total` counts all
 */
export function knownFiles({ catalog, scanner }: World, q: string, limit: number): KnownFilesResponse {
  const wanted = looseForm(q);
  const files = new Map<string, KnownFile>();
  let complete = catalog.listed;
  const sessions = catalog
    .summaries()
    .toSorted((one, other) => (other.lastActiveAtMs ?? 0) - (one.lastActiveAtMs ?? 0));
  for (const { id, lastActiveAtMs } of sessions) {
    const facets = scanner.facets(id);
    if (facets === null) complete = false;
    const { projectPath } = catalog.sessionFiles(id);
    for (const path of facets?.paths ?? []) {
      if (!looseForm(path).includes(wanted)) continue;
      const key = comparablePath(path);
      const known = files.get(key);
      if (known) known.sessions += 1;
      else files.set(key, { path, projectPath, sessions: 1, lastActiveAtMs });
    }
  }
  return { files: [...files.values()].slice(0, limit), total: files.size, complete };
}

/** A path, or a part of one, in the form in which a reader's spelling of it is looked for. */
function looseForm(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}
