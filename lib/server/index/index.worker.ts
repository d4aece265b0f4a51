import { parentPort } from "node:worker_threads";
import { answerTasks } from "../answer-tasks";
import { type IndexAnswer, IndexKeeper, type IndexTask } from "./index-keeper";

/** A little of a large session's progress is enough. */
const PROGRESS_EVERY_BYTES = 4 << 20;

const keeper = new IndexKeeper();

if (parentPort) {
  answerTasks<IndexTask, IndexAnswer, number>(parentPort, (task, tell) => {
    let told = 0;
    return keeper.do(task, (bytesDone) => {
      if (bytesDone - told < PROGRESS_EVERY_BYTES) return;
      told = bytesDone;
      tell(bytesDone);
    });
  });
}
