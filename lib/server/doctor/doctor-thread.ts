import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { ExamineRequest, FilesReport } from "./examine";

/** Examines files: in the server on a worker thread, in tests `examine` itself. */
export type Examine = (
  request: ExamineRequest,
  onProgress: (bytes: number) => void,
) => FilesReport | Promise<FilesReport>;

/** A worker thread that handles one request after another. */
export function startDoctorThread(): Examine {
  const thread = new WorkerThread<ExamineRequest, FilesReport, number>(
    () => new Worker(new URL("./doctor.worker.ts", import.meta.url), { workerData: archiveData() }),
  );
  return (request, onProgress) => thread.ask(request, onProgress);
}
