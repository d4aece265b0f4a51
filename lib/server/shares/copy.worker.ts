import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type CopyAnswer, type CopyTask, CopyWorker } from "./copy-task";

readArchive(workerData);
lowerPriority(Nice.background);
const worker = new CopyWorker();
if (parentPort) answerTasks<CopyTask, CopyAnswer, never>(parentPort, (task) => worker.do(task));
