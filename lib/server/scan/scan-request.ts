import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionLog } from "@/lib/log/table/session-table";
import type { AgentLog, LogFile, MainLog, SessionFiles } from "@/lib/server/library/session-files";
import { readAgentMeta } from "./place-files";
import type { ScanFile } from "./scan-session";
import type { ScanRequest } from "./scanned-session";

/** The number of meta files that are read before a request gets its turn. */
const SLICE = 100;

/** What a worker needs to scan a session: the files, main log first, and what their meta files say. */
export async function scanRequest(files: SessionFiles): Promise<ScanRequest> {
  const metas: SessionLog["meta"][] = [];
  for (const [at, agent] of files.agents.entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn();
    metas.push(readAgentMeta(agent.metaPath).meta);
  }
  return {
    root: files.root,
    files: [
      { ...fileOf(files.main), agentId: null },
      ...files.agents.map((agent) => ({ ...fileOf(agent), agentId: agent.agentId })),
    ],
    logs: [
      logOf(files.main, null),
      ...files.agents.map((agent, index) => logOf(agent, metas[index] ?? null)),
    ],
  };
}

/** What the graph needs to know of a file. */
export function logOf(log: LogFile | AgentLog, meta: SessionLog["meta"]): SessionLog {
  if (!("agentId" in log)) return { key: log.key, agentId: null, meta };
  return { key: log.key, agentId: log.agentId, runId: runOf(log.name), meta };
}

/** The workflow run whose folder contains an agent's file (2.1.330), by the file's name in the root. */
export function runOf(name: string): string | null {
  return /\/workflows\/([^/]+)\//.exec(name)?.[1] ?? null;
}

function fileOf({ path, key, gone }: MainLog): Omit<ScanFile, "agentId"> {
  return gone ? { path, key, gone } : { path, key };
}
