import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isUnder } from "@/lib/server/disk/confined-file";
import { unlessDamaged } from "./archive";
import type { KeptFileReader } from "./kept-file-reader";
import type { KeptFile } from "./manifest";

/** A session, as far as the names of its kept files show it. */
export type KeptSession = {
  /** Its main log's path without `.jsonl`, which is also the path of its own folder. */
  place: string;
  /** The name of its project's folder; null outside of one. */
  project: string | null;
  files: KeptFile[];
  bytes: number;
  /** The time at which one of its logs was last written. */
  lastWrittenAtMs: number;
  /** None of its logs is on disk any more. */
  isGone: boolean;
};

/**
 * The sessions of kept files, the one last written to first; files of no session are left out.
 * @param sessionNamedIn the id of the session that a log's lines name: up to 2.0.76 agents' logs are beside their
 * sessions' and name it nowhere else. A log without one, or whose session is not kept, is a session by itself.
 */
export function keptSessions(
  files: readonly KeptFile[],
  sessionNamedIn: (file: KeptFile) => string | null,
): KeptSession[] {
  const sessions = new Map<string, KeptSession>();
  const add = (place: string, file: KeptFile) => {
    const session = sessions.get(place) ?? newSession(place, projectFolderOf(file));
    sessions.set(place, session);
    session.files.push(file);
    session.bytes += file.bytes;
    if (file.kind === "file") return;
    session.lastWrittenAtMs = Math.max(session.lastWrittenAtMs, file.mtimeMs);
    session.isGone &&= !existsSync(file.path);
  };
  const beside: [place: string, file: KeptFile][] = [];
  for (const file of files) {
    const place = placeOf(file);
    if (place !== null && basename(place).startsWith("agent-")) beside.push([place, file]);
    else if (place !== null) add(place, file);
  }
  for (const [place, file] of beside) {
    const owner = join(dirname(place), sessionNamedIn(file) ?? "");
    add(sessions.has(owner) ? owner : place, file);
  }
  const byId = new Map([...sessions.values()].map((session) => [basename(session.place), session]));
  for (const file of files.filter((one) => placeOf(one) === null)) {
    // Todos, tasks, backups and images have its id in their names.
    const session = sessionIdsIn(belowRoot(file)).flatMap((id) => byId.get(id) ?? [])[0];
    if (!session) continue;
    session.files.push(file);
    session.bytes += file.bytes;
  }
  return [...sessions.values()]
    .filter((session) => session.files.some(({ kind }) => kind === "log"))
    .sort((a, b) => b.lastWrittenAtMs - a.lastWrittenAtMs);
}

/** In which a log's first line names its session. */
const HEAD_BYTES = 64 * 1024;

/** The id of the session that a kept log's first lines name; null where they name none, or are damaged. */
export function sessionNamedIn(reader: KeptFileReader, file: KeptFile): string | null {
  const head = Buffer.alloc(Math.min(HEAD_BYTES, file.bytes));
  try {
    const read = reader.read(file, 0, head.length, head);
    return /"sessionId":"([\w-]{1,100})"/.exec(head.toString("latin1", 0, read))?.[1] ?? null;
  } catch (error) {
    return unlessDamaged(error);
  }
}

const SESSION_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const OF_SESSION = ["subagents", "tool-results", "workflows"];
const OF_PROJECTS = ["projects", "conversations"];

/** The ids of sessions in a file's name and in those of its folders. */
export function sessionIdsIn(path: string): string[] {
  return path.match(SESSION_ID) ?? [];
}

/**
 * A file's path below its root: the part above says nothing about the file. The whole path if a link leads elsewhere.
 */
export function belowRoot({ path, root }: Pick<KeptFile, "path" | "root">): string {
  return isUnder(root, path) ? relative(root, path) : path;
}

function newSession(place: string, project: string | null): KeptSession {
  return { place, project, files: [], bytes: 0, lastWrittenAtMs: 0, isGone: true };
}

function placeOf(file: KeptFile): string | null {
  const { path, root } = file;
  const parts = belowRoot(file).split(sep);
  const isOfSession = (part: string, at: number) =>
    at > 0 && at < parts.length - 1 && OF_SESSION.includes(part);
  const ofId = parts.findIndex(
    (part, at) => isOfSession(part, at) && sessionIdsIn(parts[at - 1] ?? "").length > 0,
  );
  // Logs that somebody has named are sessions too.
  const at = ofId === -1 ? parts.findIndex(isOfSession) : ofId;
  if (at !== -1) return path.slice(0, -1 - parts.slice(at).join(sep).length);
  if (path === `${root}${sep}history.jsonl`) return null;
  return /\.jsonl$/i.test(path) ? path.replace(/\.jsonl$/i, "") : null;
}

/** The name of the project's folder that contains a file of a session; null outside of one. */
export function projectFolderOf(file: Pick<KeptFile, "path" | "root">): string | null {
  const [place = "", project, ...below] = belowRoot(file).split(sep);
  if (OF_PROJECTS.includes(place) && project !== undefined && below.length > 0) return project;
  const named = projectsIn(file.path).at(-1);
  if (named !== undefined) return named;
  // The folder of projects may be elsewhere, under any name.
  return isUnder(file.root, file.path) ? null : basename(dirname(file.path));
}

/** The names of all folders in a path that may be a project's, the outermost first. */
export function projectsIn(path: string): string[] {
  const parts = path.split(sep);
  return parts.slice(1, -1).filter((_, at) => OF_PROJECTS.includes(parts[at] ?? ""));
}
