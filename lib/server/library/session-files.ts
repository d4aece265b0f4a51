import { keptFiles } from "@/lib/server/disk/kept-files";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionStorage } from "@/lib/wire/library";

/** One log on disk, as of the last listing. It may have grown or disappeared since. */
export type LogFile = {
  /** Absolute, without symbolic links when it was listed. */
  path: string;
  /** Relative to the project's folder, with `/` on every platform. */
  name: string;
  /** `m` for the main log, else eight hex digits derived from `name`: the first half of a RecordId. */
  key: string;
  bytes: number;
  ino: number;
  dev: number;
  mtimeMs: number;
  /** It is not on disk, but was, and a copy is kept. */
  kept?: true;
};

/**
 * An agent's log. `agentId` is the part of the file's name after `agent-`, or made of it. `warmUp`: 2.0.x started
 * it for itself (prompt "Warmup"); 2.0.42 and 2.0.50 log no prompt, so for them it is never set, and
 * an agent that no call names is a warm-up.
 */
export type AgentLog = LogFile & { metaPath: string | null; agentId: string; warmUp: boolean };

/**
 * A main log. `gone`: it does not exist, only logs of its agents do, and `path` is where it was; size, inode and times
 * are 0. If it reappears the session is an ordinary one, under the same id.
 */
export type MainLog = LogFile & { gone?: true };

/** Everything on disk that belongs to one session. */
export type SessionFiles = {
  id: SessionId;
  projectId: ProjectId;
  /** The working directory, guessed from the folder's name where no record contains it. */
  projectPath: string;
  /** Real path of the folder (or loose file) that every file of the session must be under. */
  root: string;
  main: MainLog;
  agents: AgentLog[];
  /** `<slug>/<uuid>`, which contains tool results and agents, if it exists. */
  folder: string | null;
};

/** The names under which other folders of the config folder (`plans/`, `todos/`, …) refer to a session. */
export type Surroundings = {
  /** Real path of the config folder; `null` for loose logs. */
  configRoot: string | null;
  /** The folder that bounds the session's own files, and the one that contains its project's logs. */
  root: string;
  folder: string;
  /** The main log's name without `.jsonl`. */
  stem: string;
  projectPath: string;
  slugs: readonly string[];
  startedAtMs: number | null;
  lastActiveAtMs: number | null;
};

/** Where a session's logs are, as far as this thread knows. */
export function storageOf({ main, agents }: Pick<SessionFiles, "main" | "agents">): SessionStorage {
  const logs: LogFile[] = main.gone ? agents : [main, ...agents];
  const isKeptOnly = main.gone ? agents.every(({ kept }) => kept) : main.kept === true;
  if (isKeptOnly) return "archive";
  const kept = keptFiles();
  return kept !== null && logs.every(({ path }) => kept.find(path) !== null) ? "both" : "logs";
}

/** Changes whenever any of the files does. */
export function signatureOf({ main, agents }: SessionFiles): string {
  return [main, ...agents]
    .map(({ path, dev, ino, bytes, mtimeMs }) => `${path} ${dev} ${ino} ${bytes} ${mtimeMs}`)
    .join("\n");
}

/** Total bytes of all of a session's logs. */
export function bytesOf({ main, agents }: SessionFiles): number {
  return agents.reduce((sum, agent) => sum + agent.bytes, main.bytes);
}
