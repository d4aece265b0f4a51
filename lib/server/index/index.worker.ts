import { parentPort } from "node:worker_threads";
import { answerTasks } from "../answer-tasks";
import { type IndexAnswer, IndexKeeper, type IndexTask } from "./index-keeper";

const keeper = new IndexKeeper();

if (parentPort) answerTasks<IndexTask, IndexAnswer, never>(parentPort, (task) => keeper.do(task));
