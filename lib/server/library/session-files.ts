import type { ProjectId, SessionId } from "@/lib/wire/ids";

/** One log on disk, as last seen by the catalogue. It may have grown or gone since. */
export type LogFile = {
  /** Absolute, with no symbolic link in it when it was listed. */
  path: string;
  /** Relative to the project's folder, with `/` on every platform. */
  name: string;
  /** `m` for the main log, else eight hex digits made from `name`: the first half of a RecordId. */
  key: string;
  bytes: number;
  ino: number;
  dev: number;
  mtimeMs: number;
};

/**
 * An agent's log. `agentId` is the part of the file's name behind `agent-`. `warmUp`: 2.0.x started
 * it for itself (prompt "Warmup"); 2.0.42 and 2.0.50 log no prompt, so there it is never set, and
 * an agent that no call names is one.
 */
export type AgentLog = LogFile & { metaPath: string | null; agentId: string; warmUp: boolean };

/**
 * A main log. `gone`: it is not there, only logs of its agents are, and `path` is where it was; size, inode and times
 * are 0. Once it is there again the session is an ordinary one, under the same id.
 */
export type MainLog = LogFile & { gone?: true };

/** Everything on disk that belongs to one session. */
export type SessionFiles = {
  id: SessionId;
  projectId: ProjectId;
  /** The working directory, guessed from the folder's name where no record tells. */
  projectPath: string;
  /** Real path of the folder (or loose file) that every file of the session must lie under. */
  root: string;
  main: MainLog;
  agents: AgentLog[];
  /** `<slug>/<uuid>`, which holds tool results and agents, where it exists. */
  folder: string | null;
};

/** How a session is named in the other folders of its config folder (`plans/`, `todos/`, …). */
export type Surroundings = {
  /** Real path of the config folder; `null` where logs lie loose. */
  configRoot: string | null;
  /** The folder that bounds the session's own files, and the one that holds its project's logs. */
  root: string;
  folder: string;
  /** The main log's name without `.jsonl`. */
  stem: string;
  projectPath: string;
  slugs: readonly string[];
  startedAtMs: number | null;
  lastActiveAtMs: number | null;
};

/** Changes whenever any of the files does. */
export function signatureOf({ main, agents }: SessionFiles): string {
  return [main, ...agents]
    .map(({ path, dev, ino, bytes, mtimeMs }) => `${path} ${dev} ${ino} ${bytes} ${mtimeMs}`)
    .join("\n");
}

/** Bytes of all of a session's logs. */
export function bytesOf({ main, agents }: SessionFiles): number {
  return agents.reduce((sum, agent) => sum + agent.bytes, main.bytes);
}
