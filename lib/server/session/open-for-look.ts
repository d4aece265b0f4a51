import { buildGraph } from "@/lib/log/graph/session-graph";
import { SessionTable } from "@/lib/log/table/session-table";
import { IndexReader } from "@/lib/server/index/index-reader";
import { scanSession } from "@/lib/server/scan/scan-session";
import { logsRead } from "./logs-read";
import type { LookTask } from "./looked-through";
import { OpenSession } from "./open-session";

/** Opened with the first session, in each thread that looks through some. */
const indexed = new IndexReader();

/**
 * Opens a session that is looked through, on a thread that may block. What the index holds of it is not read again.
 * Throws what `scanSession` throws.
 */
export function openForLook({ files, request, index }: LookTask): OpenSession {
  const known = indexed.load(index, files.main.path);
  const from = known && { table: new SessionTable(known.table), files: known.files };
  const { table, files: scanned } = scanSession(request.root, request.files, { from });
  const graph = buildGraph(table, request.logs);
  return new OpenSession(files, request.logs, { table, graph, read: logsRead(scanned) }, 0);
}
