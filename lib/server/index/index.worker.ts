import { parentPort } from "node:worker_threads";
import { answerTasks } from "../answer-tasks";
import { IndexKeeper } from "./index-keeper";
import type { IndexAnswer, IndexTask } from "./index-task";

const keeper = new IndexKeeper();

if (parentPort) answerTasks<IndexTask, IndexAnswer, never>(parentPort, (task) => keeper.do(task));
