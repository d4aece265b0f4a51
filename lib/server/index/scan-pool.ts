import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { ScannedSession, ScanRequest } from "@/lib/server/scan/scanned-session";

/** `index`: where an index may hold the session already. */
export type ScanTask = { request: ScanRequest; index: string | null };

/** Scans sessions that a reader has opened. In the server a worker thread; in tests the function itself. */
export type Scans = {
  scan(request: ScanRequest, onProgress: (bytesDone: number) => void): Promise<ScannedSession>;
};

/**
 * A thread for the sessions that readers open; the library is scanned elsewhere.
 * @param indexPath the index as it is now
 */
export function startScanPool(indexPath: () => string | null = () => null): Scans {
  const thread = new WorkerThread<ScanTask, ScannedSession, number>(
    () =>
      new Worker(new URL("./scan.worker.ts", import.meta.url), {
        workerData: archiveData(),
        resourceLimits: { maxYoungGenerationSizeMb: 16 },
      }),
  );
  return { scan: (request, onProgress) => thread.ask({ request, index: indexPath() }, onProgress) };
}
