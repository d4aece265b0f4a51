import { availableParallelism } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { returnSpareMemory } from "@/lib/server/runtime/heap";
import { followRequests } from "@/lib/server/runtime/slices";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks, WorkerThread } from "@/lib/server/runtime/worker-thread";
import {
  type ArchiveAnswer,
  type ArchiveNews,
  type ArchiveStart,
  type ArchiveTask,
  ArchiveWorker,
} from "./archive-task";
import type { GroupKept, Helper, HelperStart } from "./group-keeper";
import type { FileToKeep } from "./keep-group";
import { freeUnused } from "./store/memory";

const PROGRESS_EVERY_MS = 200;
/** Memory left after much was kept for the first time; a check that finds little new leaves less. */
const MIN_SPARE_BYTES = 48 << 20;

const start = workerData as ArchiveStart;
const { folder, requests } = start;
const worker = new ArchiveWorker(start, availableParallelism() > 1 ? startHelper : null);

// Listing the library waits for the list of kept files, and nothing waits for the rest.
lowerPriority(Nice.background);
followRequests(requests);
if (parentPort)
  answerTasks<ArchiveTask, ArchiveAnswer, ArchiveNews>(parentPort, async (task, tell) => {
    if (task.kind === "keep") lowerPriority(Nice.idle);
    let toldAtMs = 0;
    const status = await worker.do(task, (progress) => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      tell({ progress: { ...progress }, kept: worker.takeNews() });
    });
    if (task.kind === "keep" && task.paths === null) {
      freeUnused();
      returnSpareMemory(MIN_SPARE_BYTES);
    }
    return { status, kept: worker.takeNews() };
  });

/** A helping thread, for another core. */
function startHelper(): Helper {
  const thread = new WorkerThread<FileToKeep[], GroupKept, never>(
    () =>
      new Worker(new URL("./keep.worker.ts", import.meta.url), {
        workerData: { folder, requests } satisfies HelperStart,
        resourceLimits: { maxYoungGenerationSizeMb: 4 },
      }),
  );
  return { keep: (group) => thread.ask(group), stop: () => thread.stop() };
}
