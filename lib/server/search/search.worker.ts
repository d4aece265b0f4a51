import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type SearchAnswer, type SearchTask, SearchWorker } from "./search-worker";

const worker = new SearchWorker();

readArchive(workerData);
if ((workerData as { isLimited: boolean }).isLimited) lowerPriority(Nice.background);
if (parentPort) answerTasks<SearchTask, SearchAnswer, never>(parentPort, (task) => worker.do(task));
