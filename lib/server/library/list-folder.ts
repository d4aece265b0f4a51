import { join } from "node:path";
import {
  type FolderEntries,
  type FoundFile,
  type FoundFolder,
  readFolderEntries,
} from "@/lib/server/disk/folder-entries";
import type { UnreadFile } from "@/lib/server/disk/log-names";
import { isUuid, stem, unread } from "@/lib/server/disk/log-names";
import type { Warning } from "@/lib/wire/library";
import type { LogFacts } from "./log-facts";

/** `relative` is the path below the listed folder, with `/`. */
export type FoundLog = FoundFile & { relative: string };

/** An agent’s log. `metaPath`: the file that describes the agent; `null` without one. */
export type FoundAgent = FoundLog & { metaPath: string | null };

/** `<slug>/<uuid>`: a session's files beside its main log. */
export type SessionFolder = { path: string; linked: boolean; agents: FoundAgent[] };

/** A folder that contains main logs. */
export type ListedFolder = {
  path: string;
  mains: FoundLog[];
  /** `agent-*.jsonl` outside sessions' folders: beside the main logs, where 2.0.x writes them. */
  agents: FoundAgent[];
  journals: FoundLog[];
  /** By the path of the main log below the folder, without `.jsonl`. */
  sessionFolders: Map<string, SessionFolder>;
  /** Folders that are none of the above and have not been listed. */
  others: FoundFolder[];
  unread: UnreadFile[];
};

/** The extent of a listing: only the files of the folder, its sessions' folders too, or everything below it. */
export type Extent = "files" | "sessions" | "all";

type Walk = { root: string; warn: (warning: Warning) => void; extent: Extent };

/** Folders that the client keeps for a session or a project. Tool-result files are read with their calls. */
const OUTPUTS = "tool-results";
const NOTES = "memory";

/** Lists and stats the logs of one folder; reads none of them. */
export async function listFolder(path: string, walk: Walk): Promise<ListedFolder> {
  const listed: ListedFolder = {
    path,
    mains: [],
    agents: [],
    journals: [],
    sessionFolders: new Map(),
    others: [],
    unread: [],
  };
  const seen = new Set<string>([path]);
  let level = [{ path, below: "" }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const folder of level) {
      for (const other of await listInto(listed, folder, walk)) {
        if (walk.extent !== "all") listed.others.push(other);
        // The target of a link is below the root, so it is listed there.
        else if (other.name === NOTES) await nameNotes(listed, other, walk);
        else if (!other.linked && !seen.has(other.path)) {
          seen.add(other.path);
          next.push({ path: other.path, below: `${folder.below}${other.name}/` });
        }
      }
    }
    level = next;
  }
  return listed;
}

/** Adds the logs of one folder. Returns its subfolders that belong to no session. */
async function listInto(
  listed: ListedFolder,
  { path, below }: { path: string; below: string },
  walk: Walk,
): Promise<FoundFolder[]> {
  const entries = await readFolderEntries(path, walk);
  listed.unread.push(...entries.unread);
  const { mains, agents } = addFiles(listed, entries, path, below);
  listed.agents.push(...agents);
  if (walk.extent === "files") return [];
  const stems = new Set(mains.map((file) => stem(file.name)));
  const others: FoundFolder[] = [];
  for (const folder of entries.folders) {
    if (stems.has(folder.name) || isUuid(folder.name)) await addSessionFolder(listed, folder, below, walk);
    else others.push(folder);
  }
  return others;
}

/** Every log below a session's folder, at any depth: future versions may put agents anywhere. */
async function addSessionFolder(
  listed: ListedFolder,
  folder: FoundFolder,
  below: string,
  walk: Walk,
): Promise<void> {
  const stemPath = below + folder.name;
  const session: SessionFolder = { path: folder.path, linked: folder.linked, agents: [] };
  listed.sessionFolders.set(stemPath, session);
  let level = [{ path: folder.path, below: `${stemPath}/` }];
  const seen = new Set<string>();
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { path, below } of level) {
      if (seen.has(path)) continue;
      seen.add(path);
      const entries = await readFolderEntries(path, walk);
      listed.unread.push(...entries.unread);
      session.agents.push(...addFiles(listed, entries, path, below).agents);
      for (const inner of entries.folders)
        if (inner.name !== OUTPUTS) next.push({ path: inner.path, below: `${below}${inner.name}/` });
    }
    level = next;
  }
}

/** Adds main logs and journals to the listing, and returns the main logs and the agents'. */
function addFiles(listed: ListedFolder, { files, names }: FolderEntries, dir: string, below: string) {
  const mains: FoundLog[] = [];
  const agents: FoundAgent[] = [];
  for (const file of files) {
    const relative = below + file.name;
    if (file.name === "journal.jsonl") listed.journals.push({ ...file, relative });
    else if (file.name.startsWith("agent-")) {
      const meta = `${stem(file.name)}.meta.json`;
      const metaPath = names.has(meta) ? join(dir, meta) : null;
      agents.push({ ...file, relative, metaPath });
    } else mains.push({ ...file, relative });
  }
  for (const main of mains) listed.mains.push(main);
  return { mains, agents };
}

async function nameNotes(listed: ListedFolder, folder: FoundFolder, walk: Walk): Promise<void> {
  const { files } = await readFolderEntries(folder.path, walk);
  for (const { path, bytes } of files) listed.unread.push(unread("notes-folder", path, bytes));
}

/** The main log of a session, `null` where only agents' logs are left, and its agents. */
export type Assigned = { stemPath: string; main: FoundLog | null; agents: FoundAgent[] };

/** A main log's path below its project's folder, without `.jsonl`, which is also the name of its session's folder. */
function stemPathOf(main: FoundLog): string {
  return main.relative.slice(0, main.relative.length - main.name.length) + stem(main.name);
}

/**
 * The main logs with their agents, and the agents whose session is unknown. An agent below `<uuid>/` belongs to that
 * session; one beside the main logs (2.0.x) to the first session that its lines name: one with messages, else one with
 * any log, else one whose log is gone.
 */
export function assignAgents(
  folder: ListedFolder,
  factsOf: (path: string) => LogFacts,
): { sessions: Assigned[]; homeless: FoundAgent[] } {
  const byStemPath = new Map<string, Assigned>();
  const byStem = new Map<string, Assigned>();
  const put = (session: Assigned) => {
    if (!byStemPath.has(session.stemPath)) byStemPath.set(session.stemPath, session);
    const name = stem(session.stemPath.slice(session.stemPath.lastIndexOf("/") + 1));
    if (!byStem.has(name)) byStem.set(name, session);
    return session;
  };
  const sessions = folder.mains.map((main) => put({ stemPath: stemPathOf(main), main, agents: [] }));
  const putGone = (stemPath: string) => {
    const session = put({ stemPath, main: null, agents: [] });
    sessions.push(session);
    return session;
  };
  for (const [stemPath, { agents, linked }] of folder.sessionFolders) {
    const name = stemPath.slice(stemPath.lastIndexOf("/") + 1);
    const owner = byStemPath.get(stemPath) ?? byStemPath.get(`${stemPath}/${name}`);
    // The target of a link is listed where it is.
    if (!owner && linked) continue;
    if (agents.length > 0) (owner ?? putGone(stemPath)).agents.push(...agents);
  }
  const homeless: FoundAgent[] = [];
  for (const agent of folder.agents) {
    const ids = factsOf(agent.path).sessionIds;
    const named = ids.flatMap((id) => byStem.get(id) ?? []);
    const owner =
      named.find(({ main }) => main && factsOf(main.path).hasMessages) ??
      named.find(({ main }) => main) ??
      named[0] ??
      goneOwner(agent, ids, putGone);
    if (owner) owner.agents.push(agent);
    else homeless.push(agent);
  }
  return { sessions, homeless };
}

function goneOwner(
  agent: FoundAgent,
  ids: readonly string[],
  putGone: (stemPath: string) => Assigned,
): Assigned | null {
  // The id becomes a file name, so it must be a valid one.
  const id = ids.find(isUuid);
  if (id === undefined) return null;
  return putGone(agent.relative.slice(0, agent.relative.length - agent.name.length) + id);
}
