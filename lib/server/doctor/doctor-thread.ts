import { Worker } from "node:worker_threads";
import type { ExamineRequest, FilesReport } from "./examine";

export type DoctorTask = { id: number; request: ExamineRequest };
export type DoctorAnswer =
  | { id: number; kind: "progress"; bytes: number }
  | { id: number; kind: "report"; report: FilesReport }
  | { id: number; kind: "failed"; message: string };

/** Examines files. In the server in a thread of its own; in tests `examine` itself. */
export type Examine = (
  request: ExamineRequest,
  onProgress: (bytes: number) => void,
) => FilesReport | Promise<FilesReport>;

/** An idle thread is let go: the doctor is asked rarely. */
const IDLE_MS = 30_000;

type Waiting = {
  resolve(report: FilesReport): void;
  reject(error: unknown): void;
  onProgress(bytes: number): void;
};

/** A thread that examines one request after another. It is started with the first one, and anew if it dies. */
export function startDoctorThread(): Examine {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;

  function fail(failed: Worker, error: unknown): void {
    if (worker !== failed) return;
    worker = null;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  }

  function take(answer: DoctorAnswer): void {
    const one = waiting.get(answer.id);
    if (answer.kind === "progress") {
      one?.onProgress(answer.bytes);
      return;
    }
    waiting.delete(answer.id);
    if (answer.kind === "report") one?.resolve(answer.report);
    else one?.reject(new Error(answer.message));
    if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS).unref();
  }

  function stop(): void {
    const idling = worker;
    worker = null;
    void idling?.terminate();
  }

  function start(): Worker {
    clearTimeout(idle);
    if (worker) return worker;
    const started = new Worker(new URL("./doctor.worker.ts", import.meta.url));
    started.unref();
    started.on("message", take);
    started.on("error", (error) => fail(started, error));
    started.on("exit", (code) => fail(started, new Error(`The doctor's thread ended with code ${code}`)));
    worker = started;
    return started;
  }

  return (request, onProgress) =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject, onProgress });
      start().postMessage({ id, request } satisfies DoctorTask);
    });
}
