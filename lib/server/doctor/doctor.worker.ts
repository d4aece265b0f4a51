import { parentPort } from "node:worker_threads";
import type { DoctorAnswer, DoctorTask } from "./doctor-thread";
import { examine } from "./examine";

const PROGRESS_EVERY_BYTES = 8 << 20;

const port = parentPort;
port?.on("message", ({ id, request }: DoctorTask) => {
  const answer = (message: DoctorAnswer) => port.postMessage(message);
  let untold = 0;
  try {
    const report = examine(request, (bytes) => {
      untold += bytes;
      if (untold < PROGRESS_EVERY_BYTES) return;
      answer({ id, kind: "progress", bytes: untold });
      untold = 0;
    });
    answer({ id, kind: "report", report });
  } catch (error) {
    answer({
      id,
      kind: "failed",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
