import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type IndexAnswer, type IndexTask, IndexWorker } from "./index-task";

const keeper = new IndexWorker();

readArchive(workerData);
lowerPriority(Nice.background);
if (parentPort) answerTasks<IndexTask, IndexAnswer, never>(parentPort, (task) => keeper.do(task));
