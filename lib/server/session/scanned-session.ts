import type { SessionLog } from "@/lib/thread/log-file";
import { sessionActivity } from "@/lib/thread/session-activity";
import { countSession, modelsOf, sumUsage } from "@/lib/thread/session-counts";
import { buildGraph, type SessionGraph } from "@/lib/thread/session-graph";
import type { SessionTable, SessionTableData } from "@/lib/thread/session-table";
import type { SessionNumbers } from "../session-queries";
import { type ScanFile, scanSession } from "./scan-session";

/** A session's table and graph as they cross from the worker: typed arrays and plain values. */
export type ScannedSession = { table: SessionTableData; graph: SessionGraph; unread: number[] };

export type ScanRequest = { root: string; files: ScanFile[]; logs: SessionLog[] };

/** Scans a session and builds its graph. */
export async function scan(
  request: ScanRequest,
  onProgress: (bytesDone: number) => void,
): Promise<ScannedSession> {
  const { table, unread } = scanSession(request.root, request.files, onProgress);
  return { graph: buildGraph(table, request.logs), table: table.toData(), unread };
}

/** Scans a session for what the library shows of it, and keeps nothing. */
export async function summarize(
  request: ScanRequest,
  onProgress: (bytesDone: number) => void,
): Promise<SessionNumbers> {
  const { table } = scanSession(request.root, request.files, onProgress);
  return numbersOf(table, buildGraph(table, request.logs));
}

/** The library's numbers of a session that has been scanned. */
export function numbersOf(table: SessionTable, graph: SessionGraph): SessionNumbers {
  const counts = countSession(table, graph);
  const usage = sumUsage(table);
  return {
    turns: counts.turns,
    toolCalls: counts.toolCalls,
    toolErrors: counts.toolErrors,
    agentCount: counts.agents,
    tokens: usage.input + usage.output + usage.cacheWrite + usage.cacheRead,
    models: modelsOf(table),
    activity: sessionActivity(table, graph),
  };
}
