import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import { type ScannedSession, type ScanRequest, scan } from "@/lib/server/scan/scanned-session";

/** `index`: where an index may hold the session already. */
export type ScanTask = { request: ScanRequest; index: string | null };

/** Scans sessions that a reader has opened. In the server a worker thread; in tests the function itself. */
export type Scans = {
  /** @param bytes of all the session's logs */
  scan(request: ScanRequest, onProgress: (bytesDone: number) => void, bytes: number): Promise<ScannedSession>;
};

/**
 * Sessions up to this size are scanned on the server's own thread where the other is not there or is at a larger one: 1 MB
 * takes some 20 ms, 50 right after the start, and a thread takes longer to begin, most of all beside a browser that loads
 * the page.
 */
const MAX_HERE_BYTES = 2 << 20;

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
  return scansBy(thread, indexPath);
}

/** Scans in this thread; what is small on the one that asks, where that would wait for it. */
export function scansBy(
  thread: Pick<WorkerThread<ScanTask, ScannedSession, number>, "ask" | "isFree">,
  indexPath: () => string | null,
): Scans {
  return {
    scan: (request, onProgress, bytes) =>
      bytes <= MAX_HERE_BYTES && !thread.isFree
        ? scan(request, onProgress)
        : thread.ask({ request, index: indexPath() }, onProgress),
  };
}
