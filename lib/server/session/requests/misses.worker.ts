import { parentPort, workerData } from "node:worker_threads";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { SessionTable } from "@/lib/log/table/session-table";
import { readArchive } from "@/lib/server/archive/archived-files";
import { IndexReader } from "@/lib/server/index/index-reader";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { scanSession } from "@/lib/server/scan/scan-session";
import { logsRead } from "@/lib/server/session/logs-read";
import { OpenSession } from "@/lib/server/session/open-session";
import type { LibraryMiss } from "@/lib/wire/usage";
import { listMisses } from "./find-misses";
import type { MissesTask } from "./library-misses";

const indexed = new IndexReader();

readArchive(workerData);
lowerPriority(Nice.background);
if (parentPort) answerTasks<MissesTask, LibraryMiss[], never>(parentPort, missesTask);

/** What the index holds of the session is not read again. */
async function missesTask({ files, request, index }: MissesTask): Promise<LibraryMiss[]> {
  const known = indexed.load(index, files.main.path);
  const from = known && { table: new SessionTable(known.table), files: known.files };
  const { table, files: scanned } = scanSession(request.root, request.files, { from });
  const graph = buildGraph(table, request.logs);
  return listMisses(new OpenSession(files, request.logs, { table, graph, read: logsRead(scanned) }, 0));
}
