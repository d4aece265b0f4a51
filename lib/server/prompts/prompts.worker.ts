import { parentPort, workerData } from "node:worker_threads";
import { readArchive } from "@/lib/server/archive/archived-files";
import { lowerPriority, Nice } from "@/lib/server/runtime/thread-priority";
import { answerTasks } from "@/lib/server/runtime/worker-thread";
import type { LookTask } from "@/lib/server/session/looked-through";
import { openForLook } from "@/lib/server/session/open-for-look";
import { listPrompts, type SessionPrompt } from "./list-prompts";

readArchive(workerData);
lowerPriority(Nice.background);
if (parentPort)
  answerTasks<LookTask, SessionPrompt[], never>(parentPort, (task) => listPrompts(openForLook(task)));
