import { parentPort } from "node:worker_threads";
import { answerTasks } from "../answer-tasks";
import { lowerPriority } from "../lower-priority";
import type { ScanRequest } from "../session/scanned-session";
import { encodeSession } from "./index-session";
import type { EncodedSession } from "./index-store";

/** A session that the index does not know. */
export type ReadTask = { request: ScanRequest; wantsTexts: boolean };

lowerPriority();
if (parentPort)
  answerTasks<ReadTask, EncodedSession, never>(parentPort, ({ request, wantsTexts }) =>
    encodeSession(request, wantsTexts),
  );
