import { statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { formatCount } from "@/lib/format/format";
import { isUnder } from "@/lib/server/disk/confined-file";
import { explainFault, faultCode, isMissing } from "@/lib/server/disk/file-fault";
import { readFolderEntries } from "@/lib/server/disk/folder-entries";
import { hasInode, isOnDisk, keptFiles, realPathOf } from "@/lib/server/disk/kept-files";
import { isUuid, stem } from "@/lib/server/disk/log-names";
import type { RootFolder } from "@/lib/server/runtime/config";
import type { Warning } from "@/lib/wire/library";
import { type Extent, type ListedFolder, listFolder } from "./list-folder";

/** A folder that may contain main logs. `root` bounds what may be opened; both are real paths. */
export type FolderSource = {
  path: string;
  root: string;
  /** Real path of its config folder; `null` for a loose folder. */
  configRoot: string | null;
  slug: string;
  kind: "config" | "loose";
  /** How deep it is listed: folders below it may be sources of their own. */
  extent: Extent;
  /** The one log to list, where a file was named. */
  only: string | null;
};

type Warn = (warning: Warning) => void;

const MAX_LOOSE_DEPTH = 12;
const MAX_LOOSE_FOLDERS = 20_000;
/** `conversations` is the folder that versions before 1.0 used instead of `projects`. */
const CONFIG_FOLDERS = ["projects", "conversations"];

/** Every folder under a root that may contain logs. A missing or unreadable one becomes a warning. */
export async function* findFolders(root: RootFolder, warn: Warn): AsyncGenerator<FolderSource> {
  try {
    if (root.kind === "config") yield* configFolders(root.path, warn);
    else yield* looseFolders(root.path, warn);
  } catch (error) {
    if (faultCode(error) === null) throw error;
    if (!isMissing(error)) return warn({ ...explainFault(error), code: "root-unreadable", path: root.path });
    warn({
      code: "root-missing",
      message:
        root.kind === "config" ? "Claude Code’s folder is not there" : "This log or folder is not there",
      hint:
        root.kind === "config"
          ? "Claude Code makes it with its first session. Where it lies elsewhere, start with --claude-dir DIR."
          : "It was moved or deleted.",
      path: root.path,
    });
  }
}

async function* configFolders(path: string, warn: Warn): AsyncGenerator<FolderSource> {
  let found = 0;
  const configRoot = realPathOf(path);
  for (const name of CONFIG_FOLDERS) {
    // Without the comment the bundler takes this for a path in the repository, and packs all of it.
    const root = realPathOf(join(/*turbopackIgnore: true*/ path, name));
    if (root === null) continue;
    found += 1;
    const { folders } = await readFolderEntries(root, { root, warn });
    const source = { root, configRoot, kind: "config", only: null } as const;
    for (const folder of folders) yield { ...source, path: folder.path, slug: folder.name, extent: "all" };
    // Logs directly in `projects` instead of in a project's folder.
    yield { ...source, path: root, slug: name, extent: "files" };
  }
  // What is kept of a missing folder is listed all the same.
  if (found > 0 && isOnDisk(path)) return;
  await stat(path); // tells a missing folder from one without sessions
  warn({
    code: "no-projects",
    message: "This folder holds no projects/ and no conversations/",
    hint: "Claude Code makes them with the first session. To read logs that lie elsewhere, name their folder.",
    path,
  });
}

async function* looseFolders(named: string, warn: Warn): AsyncGenerator<FolderSource> {
  const path = realPathOf(named) ?? (await realpath(named));
  if (isFile(path)) {
    const dir = dirname(path);
    yield {
      path: dir,
      root: dir,
      configRoot: null,
      slug: basename(dir),
      kind: "loose",
      extent: "sessions",
      only: basename(path),
    };
    return;
  }
  const seen = new Set<string>();
  let level = [{ path, name: basename(path) }];
  for (let depth = 0; depth <= MAX_LOOSE_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const folder of level) {
      const inode = await inodeOf(folder.path);
      if (inode === null || seen.has(inode)) continue;
      seen.add(inode);
      if (seen.size > MAX_LOOSE_FOLDERS) {
        warn({
          code: "too-many-folders",
          message: `More than ${formatCount(MAX_LOOSE_FOLDERS)} folders`,
          hint: "Name a folder further down.",
          path,
        });
        return;
      }
      yield {
        path: folder.path,
        root: path,
        configRoot: null,
        slug: folder.name,
        kind: "loose",
        extent: "sessions",
        only: null,
      };
      const listed = await listFolder(folder.path, { root: path, warn: () => {}, extent: "sessions" });
      next.push(...listed.others);
    }
    level = next;
  }
}

/**
 * True where listing a folder includes a new file at a path below it, if that is a log at all.
 * @param isSession whether a session of the folder has this name
 */
export function listsPath(
  { path, extent }: FolderSource,
  below: string,
  isSession: (name: string) => boolean,
): boolean {
  if (!isUnder(path, below)) return false;
  if (extent === "all") return true;
  const [first = "", ...rest] = relative(path, below).split(sep);
  // A folder may be a project's, or contain logs that are not listed yet.
  const isFile = rest.length === 0 && /\.(jsonl|json)\b/i.test(first);
  return isFile || (extent === "sessions" && (isUuid(first) || isSession(first)));
}

/** Only the named log, with its agents. */
export function narrow(listed: ListedFolder, only: string): ListedFolder {
  const agent = listed.agents.find((file) => file.name === only);
  const folder = listed.sessionFolders.get(stem(only));
  return {
    ...listed,
    mains: agent ? [agent] : listed.mains.filter((file) => file.relative === only),
    agents: agent ? [] : listed.agents,
    journals: [],
    unread: listed.unread.filter(({ path }) => basename(path) === only),
    sessionFolders: folder ? new Map([[stem(only), folder]]) : new Map(),
  };
}

/** Neither a folder on disk nor a kept one. */
function isFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? found.isFile() : keptFiles()?.find(path) != null;
}

/** Identifies a folder regardless of links. Null for one that is gone or inaccessible. */
async function inodeOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path);
    return hasInode({ ino }) ? `${dev}:${ino}` : path;
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return (keptFiles()?.entries(path).length ?? 0) > 0 ? path : null;
  }
}
