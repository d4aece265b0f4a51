import { toCost } from "@/lib/cost/price-table";
import { openEndOf } from "@/lib/log/graph/open-end";
import { reportedCost, sumCost } from "@/lib/log/graph/session-cost";
import { modelsOf, sessionActivity, sumUsage } from "@/lib/log/graph/session-counts";
import { buildGraph, type SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionLog, SessionTable, SessionTableData } from "@/lib/log/table/session-table";
import type { SessionNumbers } from "@/lib/server/library/session-summary";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { SessionCounts } from "@/lib/wire/session";
import { type Scan, type ScanFile, scanSession } from "./scan-session";
import type { StoredFile } from "./stored-session";

/** A session's table and graph as they cross from the worker: typed arrays and plain values. `files`: how far each is read. */
export type ScannedSession = {
  table: SessionTableData;
  graph: SessionGraph;
  unread: number[];
  files: StoredFile[];
};

/** A session that is to be read: the folder below which its files may be opened, and the files. */
export type ScanRequest = { root: string; files: ScanFile[]; logs: SessionLog[] };

/** Scans a session and builds its graph. */
export async function scan(
  request: ScanRequest,
  onProgress: (bytesDone: number) => void,
): Promise<ScannedSession> {
  return toScanned(scanSession(request.root, request.files, { onProgress }), request);
}

/** A scan with its graph, ready to be sent. */
export function toScanned(
  { table, unread, files }: Pick<Scan, "table" | "unread" | "files">,
  { logs }: ScanRequest,
): ScannedSession {
  return { graph: buildGraph(table, logs), table: table.toData(), unread, files };
}

/** The library's numbers of a session that has been scanned and counted. */
export function numbersOf(table: SessionTable, graph: SessionGraph, counts: SessionCounts): SessionNumbers {
  const usage = sumUsage(table);
  const openEnd = openEndOf(table, graph);
  return {
    ...(openEnd === null ? {} : { openEnd }),
    turns: counts.turns,
    toolCalls: counts.toolCalls,
    toolErrors: counts.toolErrors,
    toolsDenied: counts.toolsDenied,
    agentCount: counts.agents,
    tokens: usage.input + usage.output + usage.cacheWrite + usage.cacheRead,
    models: modelsOf(table),
    activity: sessionActivity(table, graph),
    cost: {
      ...toCost(sumCost(table, pricesInUse().table)),
      reportedMicroUsd: reportedCost(table),
    },
  };
}
