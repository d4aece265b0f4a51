import { join, relative, sep } from "node:path";
import { isUnder } from "@/lib/server/disk/confined-file";
import { ifAccessible } from "@/lib/server/disk/file-fault";
import { namesIn, realPathOf, statOfPlainFile } from "@/lib/server/disk/kept-files";
import type { Surroundings } from "@/lib/server/library/session-files";
import type { ExtraKind } from "@/lib/wire/session";

/** A file that belongs to a session. `root` bounds what may be opened; both are real paths. */
export type FoundExtra = {
  kind: ExtraKind;
  name: string;
  root: string;
  path: string;
  bytes: number;
  atMs: number;
};

type Source = {
  kind: ExtraKind;
  root: string;
  folder: string;
  depth: number;
  wanted: (name: string) => boolean;
};

const MAX_FILES = 2000;

/**
 * The files of a config folder that belong to a session: plans by the names in its records, todos, tasks and
 * file backups by its id, notes by its project's folder. Missing or unreadable ones are left out.
 * @param most how many at most
 */
export async function findExtras(around: Surroundings, most = MAX_FILES): Promise<FoundExtra[]> {
  const found: FoundExtra[] = [];
  for (const source of sourcesOf(around)) {
    const files = filesIn(source.root, source.folder, source.depth);
    for (const path of files.filter((file) => source.wanted(relative(source.folder, file)))) {
      const stats = ifAccessible(() => statOfPlainFile(path));
      if (!stats || found.length >= most) continue;
      const name = relative(source.root, path).replaceAll(sep, "/");
      found.push({
        kind: source.kind,
        name,
        root: source.root,
        path,
        bytes: stats.size,
        atMs: Math.round(stats.mtimeMs),
      });
    }
  }
  return found;
}

function sourcesOf({ configRoot, root, folder, stem, slugs }: Surroundings): Source[] {
  const any = () => true;
  const memory: Source = { kind: "memory", root, folder: join(folder, "memory"), depth: 3, wanted: any };
  if (configRoot === null) return [memory];
  const below = (kind: ExtraKind, path: string[], wanted: Source["wanted"]): Source => {
    return { kind, root: configRoot, folder: join(configRoot, ...path), depth: 0, wanted };
  };
  return [
    // An agent's plan has the session's name followed by the agent's id.
    below("plan", ["plans"], (name) =>
      slugs.some((slug) => name === `${slug}.md` || name.startsWith(`${slug}-agent-`)),
    ),
    below("todos", ["todos"], (name) => name === `${stem}.json` || name.startsWith(`${stem}-agent-`)),
    below("task", ["tasks", stem], (name) => name.endsWith(".json")),
    memory,
    below("file-history", ["file-history", stem], any),
  ];
}

/** Plain files below a folder, on disk or kept, sorted. None for a folder that is not a real one under `root`. */
function filesIn(root: string, folder: string, depth: number): string[] {
  const real = ifAccessible(() => realPathOf(folder));
  if (real === null || !isUnder(root, real)) return [];
  const { files, folders } = namesIn(folder);
  const inner = depth === 0 ? [] : folders;
  const below = inner.flatMap((name) => filesIn(root, join(folder, name), depth - 1));
  return [...files.map((name) => join(folder, name)), ...below].sort();
}
