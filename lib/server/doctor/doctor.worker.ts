import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type ExamineRequest, examine, type FilesReport } from "./examine";

const PROGRESS_EVERY_BYTES = 8 << 20;

readArchive(workerData);
if (parentPort) answerTasks<ExamineRequest, FilesReport, number>(parentPort, examineTask);

function examineTask(request: ExamineRequest, onProgress: (bytes: number) => void): FilesReport {
  let unreported = 0;
  return examine(request, (bytes) => {
    unreported += bytes;
    if (unreported < PROGRESS_EVERY_BYTES) return;
    onProgress(unreported);
    unreported = 0;
  });
}
