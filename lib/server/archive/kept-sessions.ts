import { existsSync } from "node:fs";
import { basename, sep } from "node:path";
import type { KeptFile } from "./manifest";

/** A session as far as the names of its kept files tell. */
export type KeptSession = {
  /** Its main log's path without `.jsonl`: there its own folder lies too. */
  place: string;
  files: KeptFile[];
  bytes: number;
  /** When one of its logs was last written to. */
  lastWrittenAtMs: number;
  /** None of its logs is on disk any more. */
  isGone: boolean;
};

/**
 * The sessions that kept files belong to, the one last written to first. Up to 2.0.76 agents' logs lie beside their
 * sessions' and name them in their records alone, so those are a session each; files of none are left out.
 */
export function keptSessions(files: readonly KeptFile[]): KeptSession[] {
  const sessions = new Map<string, KeptSession>();
  for (const file of files) {
    const place = placeOf(file);
    if (place === null) continue;
    const session = sessions.get(place) ?? newSession(place);
    sessions.set(place, session);
    session.files.push(file);
    session.bytes += file.bytes;
    if (file.kind === "file") continue;
    session.lastWrittenAtMs = Math.max(session.lastWrittenAtMs, file.mtimeMs);
    session.isGone &&= !existsSync(file.path);
  }
  const byId = new Map([...sessions.values()].map((session) => [basename(session.place), session]));
  for (const file of files.filter((one) => placeOf(one) === null)) {
    // Todos, tasks, backups and images have its id in their names.
    const [id] = SESSION_ID.exec(file.path) ?? [];
    const session = id === undefined ? undefined : byId.get(id);
    if (!session) continue;
    session.files.push(file);
    session.bytes += file.bytes;
  }
  return [...sessions.values()]
    .filter((session) => session.files.some(({ kind }) => kind === "log"))
    .sort((a, b) => b.lastWrittenAtMs - a.lastWrittenAtMs);
}

const SESSION_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const FOLDERS_OF_SESSION = ["subagents", "tool-results", "workflows"].map((name) => `${sep}${name}${sep}`);

function newSession(place: string): KeptSession {
  return { place, files: [], bytes: 0, lastWrittenAtMs: 0, isGone: true };
}

function placeOf({ path, root }: KeptFile): string | null {
  for (const folder of FOLDERS_OF_SESSION) {
    const at = path.lastIndexOf(folder);
    if (at > 0) return path.slice(0, path.indexOf(folder));
  }
  if (path === `${root}${sep}history.jsonl`) return null;
  return /\.jsonl$/i.test(path) ? path.replace(/\.jsonl$/i, "") : null;
}

/** The name of the project's folder that a file lies in; null outside of one. */
export function projectFolderOf(path: string): string | null {
  return /[\\/](?:projects|conversations)[\\/]([^\\/]+)[\\/]/.exec(path)?.[1] ?? null;
}

/** As the client names a project's folder after its working directory. */
export function slugOf(directory: string): string {
  return directory.replace(/[^a-zA-Z0-9]/g, "-");
}
