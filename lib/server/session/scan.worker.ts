import { parentPort } from "node:worker_threads";
import { SessionTable } from "@/lib/thread/session-table";
import { answerTasks } from "../answer-tasks";
import { createIndexReader } from "../index/index-reader";
import type { ScanTask } from "./scan-pool";
import { scanSession } from "./scan-session";
import { type ScannedSession, toScanned } from "./scanned-session";

const PROGRESS_EVERY_BYTES = 8 << 20;

const index = createIndexReader();

if (parentPort) answerTasks<ScanTask, ScannedSession, number>(parentPort, scanTask);

/** A session that the index holds is not read again; one that has grown is read from there on. */
function scanTask({ request, index: path }: ScanTask, tell: (bytesDone: number) => void): ScannedSession {
  let told = 0;
  const onProgress = (bytesDone: number) => {
    if (bytesDone - told < PROGRESS_EVERY_BYTES) return;
    told = bytesDone;
    tell(bytesDone);
  };
  const known = index.load(path, request.files[0]?.path ?? "");
  const from = known && { table: new SessionTable(known.table), files: known.entry.files };
  return toScanned(scanSession(request.root, request.files, { onProgress, from }), request);
}
