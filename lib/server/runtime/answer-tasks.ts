import type { MessagePort } from "node:worker_threads";
import { isViewerError } from "./viewer-error";
import type { Answered, Asked, ThreadError } from "./worker-thread";

type Work<Task, Answer, News> = (task: Task, tell: (news: News) => void) => Answer | Promise<Answer>;

/** The other side of a `WorkerThread`: does each task and answers it. Buffers of typed arrays are moved, not copied. */
export function answerTasks<Task, Answer, News>(port: MessagePort, work: Work<Task, Answer, News>): void {
  const answer = async ({ id, task }: Asked<Task>): Promise<void> => {
    const send = (message: Answered<Answer, News>, moved: ArrayBuffer[] = []) =>
      port.postMessage(message, moved);
    try {
      const value = await work(task, (news) => send({ id, kind: "news", news }));
      send({ id, kind: "done", answer: value }, buffersIn(value));
    } catch (error) {
      send({ id, kind: "failed", error: toThreadError(error) });
    }
  };
  port.on("message", (asked: Asked<Task>) => void answer(asked));
}

function toThreadError(error: unknown): ThreadError {
  if (isViewerError(error)) {
    const { code, message, hint, status, path } = error;
    return { code, message, hint, status, path };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, hint: "", status: 500 };
}

/** The buffers of all typed arrays in a value, each once. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    // A pooled Buffer shares its memory with others.
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
      found.add(value.buffer);
  } else if (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Map) &&
    !(value instanceof Set)
  ) {
    for (const inner of Array.isArray(value) && typeof value[0] !== "object" ? [] : Object.values(value))
      buffersIn(inner, found);
  }
  return [...found];
}
