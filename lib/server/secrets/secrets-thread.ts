import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { ScannedSecrets, SecretsRequest } from "./scan-secrets";

/** Finds the secrets of a session: in the server on a worker thread, in tests `scanSecrets` itself. */
export type ScanSecrets = (
  request: SecretsRequest,
  onProgress: (bytes: number) => void,
) => ScannedSecrets | Promise<ScannedSecrets>;

/** A worker thread that handles one session after another. */
export function startSecretsThread(): ScanSecrets {
  const thread = new WorkerThread<SecretsRequest, ScannedSecrets, number>(
    () => new Worker(new URL("./secrets.worker.ts", import.meta.url), { workerData: archiveData() }),
  );
  return (request, onProgress) => thread.ask(request, onProgress);
}
