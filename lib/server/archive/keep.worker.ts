import { parentPort, workerData } from "node:worker_threads";
import { followRequests } from "@/lib/server/runtime/slices";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import { GroupKeeper, type GroupKept, type HelperStart } from "./group-keeper";
import type { FileToKeep } from "./keep-group";

const { folder, requests } = workerData as HelperStart;
const keeper = new GroupKeeper(folder);

lowerPriority(Nice.idle);
followRequests(requests);
if (parentPort) answerTasks<FileToKeep[], GroupKept, never>(parentPort, (group) => keeper.keep(group));
