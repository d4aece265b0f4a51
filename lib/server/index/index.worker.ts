import { parentPort } from "node:worker_threads";
import { answerTasks } from "@/lib/server/runtime/answer-tasks";
import { lowerPriority, Nice } from "@/lib/server/runtime/lower-priority";
import { IndexKeeper } from "./index-keeper";
import type { IndexAnswer, IndexTask } from "./index-task";

const keeper = new IndexKeeper();

lowerPriority(Nice.background);
if (parentPort) answerTasks<IndexTask, IndexAnswer, never>(parentPort, (task) => keeper.do(task));
