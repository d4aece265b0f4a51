import { join } from "node:path";
import { type FoundFile, readFolderEntries, type Warning } from "./folder-entries";

/** `relative` is the path below the folder that holds the main logs, with `/`. */
export type FoundAgent = FoundFile & { relative: string; metaPath: string | null };

/** `<slug>/<uuid>`: what one session keeps beside its main log. */
export type SessionFolder = { path: string; agents: FoundAgent[]; journals: FoundFile[] };

/** A folder that holds main logs. */
export type ListedFolder = {
  path: string;
  mains: FoundFile[];
  /** `agent-*.jsonl` beside the main logs, where 2.0.x writes them. */
  agents: FoundAgent[];
  journals: FoundFile[];
  /** By the main log's name without `.jsonl`. */
  sessionFolders: Map<string, SessionFolder>;
  /** Folders that are none of the above. */
  others: { path: string; name: string }[];
};

type Walk = { root: string; warn: (warning: Warning) => void };

/** Agents lie at most at `subagents/workflows/<run>/`; the rest is room for what later versions do. */
const AGENT_DEPTH = 6;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the name of a session of any client version: a bare UUID. */
export function isUuid(name: string): boolean {
  return UUID.test(name);
}

/** Lists and stats the logs of one folder; reads none of them. */
export async function listFolder(path: string, walk: Walk): Promise<ListedFolder> {
  const entries = await readFolderEntries(path, walk);
  const { mains, agents, journals } = sortFiles(entries.files, entries.names, path, "");
  const stems = new Set(mains.map((file) => stem(file.name)));
  const isSession = (name: string) => stems.has(name) || isUuid(name);
  const own = entries.folders.filter((folder) => isSession(folder.name));
  const listed = await Promise.all(own.map((folder) => listSessionFolder(folder, walk)));
  return {
    path,
    mains,
    agents,
    journals,
    sessionFolders: new Map(listed.map((folder, at) => [own[at]?.name ?? "", folder])),
    others: entries.folders.filter((folder) => !isSession(folder.name)),
  };
}

/** `name` without `.jsonl`. */
export function stem(name: string): string {
  return name.replace(/\.jsonl$/, "");
}

async function listSessionFolder(folder: { path: string; name: string }, walk: Walk): Promise<SessionFolder> {
  const found: SessionFolder = { path: folder.path, agents: [], journals: [] };
  const { folders } = await readFolderEntries(folder.path, walk);
  let level = folders
    .filter(({ name }) => name === "subagents")
    .map(({ path }) => ({ path, below: `${folder.name}/subagents/` }));
  const seen = new Set<string>();
  for (let depth = 0; depth < AGENT_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, below } of level) {
      if (seen.has(path)) continue;
      seen.add(path);
      const entries = await readFolderEntries(path, walk);
      const sorted = sortFiles(entries.files, entries.names, path, below);
      found.agents.push(...sorted.agents);
      found.journals.push(...sorted.journals, ...sorted.mains);
      next.push(...entries.folders.map((inner) => ({ path: inner.path, below: `${below}${inner.name}/` })));
    }
    level = next;
  }
  return found;
}

function sortFiles(files: FoundFile[], names: Set<string>, dir: string, below: string) {
  const mains: FoundFile[] = [];
  const agents: FoundAgent[] = [];
  const journals: FoundFile[] = [];
  for (const file of files) {
    if (file.name === "journal.jsonl") journals.push(file);
    else if (file.name.startsWith("agent-")) {
      const meta = `${stem(file.name)}.meta.json`;
      const metaPath = names.has(meta) ? join(dir, meta) : null;
      agents.push({ ...file, relative: below + file.name, metaPath });
    } else mains.push(file);
  }
  return { mains, agents, journals };
}
