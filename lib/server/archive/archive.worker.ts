import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority, Nice } from "@/lib/server/runtime/config";
import { followRequests } from "@/lib/server/runtime/slices";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import {
  type ArchiveAnswer,
  type ArchiveNews,
  type ArchiveStart,
  type ArchiveTask,
  ArchiveWorker,
} from "./archive-task";

const PROGRESS_EVERY_MS = 200;

const start = workerData as ArchiveStart;
const worker = new ArchiveWorker(start);

lowerPriority(Nice.background);
followRequests(start.requests);
if (parentPort)
  answerTasks<ArchiveTask, ArchiveAnswer, ArchiveNews>(parentPort, async (task, tell) => {
    let toldAtMs = 0;
    const status = await worker.do(task, (progress) => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      tell({ progress: { ...progress }, kept: worker.takeNews() });
    });
    return { status, kept: worker.takeNews() };
  });
