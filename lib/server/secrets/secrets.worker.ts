import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { type ScannedSecrets, type SecretsRequest, scanSecrets } from "./scan-secrets";

readArchive(workerData);
if (parentPort) {
  lowerPriority(Nice.awaited);
  answerTasks<SecretsRequest, ScannedSecrets, number>(parentPort, scanSecrets);
}
