import { parentPort } from "node:worker_threads";
import { isViewerError } from "../viewer-error";
import type { WorkerAnswer, WorkerTask } from "./scan-pool";
import { scan, summarize } from "./scanned-session";

const PROGRESS_EVERY_BYTES = 8 << 20;

const port = parentPort;
port?.on("message", async (task: WorkerTask) => {
  const answer = (message: WorkerAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let told = 0;
  const onProgress = (bytesDone: number) => {
    if (bytesDone - told < PROGRESS_EVERY_BYTES) return;
    told = bytesDone;
    answer({ id: task.id, kind: "progress", bytesDone });
  };
  try {
    if (task.kind === "summarize") {
      answer({ id: task.id, kind: "numbers", numbers: await summarize(task.request, onProgress) });
      return;
    }
    const scanned = await scan(task.request, onProgress);
    answer({ id: task.id, kind: "scanned", scanned }, buffersIn(scanned));
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    if (!isViewerError(error))
      answer({ id: task.id, kind: "failed", error: { code: "scan-failed", message, hint: "", status: 500 } });
    else
      answer({
        id: task.id,
        kind: "failed",
        error: { code: error.code, message, hint: error.hint, status: error.status, path: error.path },
      });
  }
});

/** The buffers of all typed arrays in a value, each once: they are moved to the other thread, not copied. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null && !(value instanceof Map)) {
    for (const inner of Array.isArray(value) && typeof value[0] !== "object" ? [] : Object.values(value))
      buffersIn(inner, found);
  }
  return [...found];
}
