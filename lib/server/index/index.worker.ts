import { parentPort } from "node:worker_threads";
import { lowerPriority, Nice } from "@/lib/server/runtime/config";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type IndexAnswer, type IndexTask, IndexWorker } from "./index-task";

const keeper = new IndexWorker();

lowerPriority(Nice.background);
if (parentPort) answerTasks<IndexTask, IndexAnswer, never>(parentPort, (task) => keeper.do(task));
