import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import type { LibraryMiss } from "@/lib/wire/usage";
import type { LookTask } from "../looked-through";
import { openForLook } from "../open-for-look";
import { listMisses } from "./find-misses";

readArchive(workerData);
lowerPriority(Nice.background);
if (parentPort)
  answerTasks<LookTask, LibraryMiss[], never>(parentPort, (task) => listMisses(openForLook(task)));
