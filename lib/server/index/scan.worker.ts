import { parentPort, workerData } from "node:worker_threads";
import { putLatest } from "@/lib/format/lists";
import { SessionTable } from "@/lib/log/table/session-table";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { inSteps, type ScanStart, scanSession } from "@/lib/server/scan/scan-session";
import { type ScannedSession, toScanned } from "@/lib/server/scan/scanned-session";
import { IndexReader } from "./index-reader";
import type { ScanTask } from "./scan-pool";

/** Sessions that are being followed: an append costs what was appended, without reading the skeleton again. */
const MAX_KEPT_SESSIONS = 4;

const index = new IndexReader();
const kept = new Map<string, ScanStart>();

readArchive(workerData);
lowerPriority(Nice.awaited);
if (parentPort) answerTasks<ScanTask, ScannedSession, number>(parentPort, scanTask);

/** A session in the index is not read again; one that has grown is read from there on. */
function scanTask({ request, index: path }: ScanTask, tell: (bytesDone: number) => void): ScannedSession {
  const onProgress = inSteps(tell);
  const main = request.files[0]?.path ?? "";
  const scan = scanSession(request.root, request.files, { onProgress, from: takeStart(main, path) });
  // The answer is a copy, so this thread's own table can go on.
  putLatest(kept, main, { table: scan.table, files: scan.files }, MAX_KEPT_SESSIONS);
  return toScanned(scan, request);
}

/** Where an earlier scan ended. It is removed: a scan that fails leaves its table in an intermediate state. */
function takeStart(main: string, path: string | null): ScanStart | null {
  const start = kept.get(main);
  kept.delete(main);
  if (start) return start;
  const known = index.load(path, main);
  return known && { table: new SessionTable(known.table), files: known.files };
}
