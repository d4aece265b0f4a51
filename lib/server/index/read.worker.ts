import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { inSteps } from "@/lib/server/scan/scan-session";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import { type NewSession, readNewSession } from "./index-session";

/** A session that the index does not know. */
export type ReadTask = { request: ScanRequest; wantsTexts: boolean };

readArchive(workerData);
lowerPriority(Nice.background);
if (parentPort)
  answerTasks<ReadTask, NewSession, number>(parentPort, ({ request, wantsTexts }, tell) =>
    readNewSession(request, wantsTexts, inSteps(tell)),
  );
