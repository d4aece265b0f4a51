import { parentPort } from "node:worker_threads";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type SearchAnswer, type SearchTask, SearchWorker } from "./search-worker";

const worker = new SearchWorker();

if (parentPort) answerTasks<SearchTask, SearchAnswer, never>(parentPort, (task) => worker.do(task));
