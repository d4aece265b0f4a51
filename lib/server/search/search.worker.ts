import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type SearchAnswer, type SearchTask, SearchWorker } from "./search-worker";

const worker = new SearchWorker();

readArchive(workerData);
if (parentPort) answerTasks<SearchTask, SearchAnswer, never>(parentPort, (task) => worker.do(task));
