import { Worker } from "node:worker_threads";
import type { SessionNumbers } from "../session-queries";
import { ViewerError } from "../viewer-error";
import type { ScannedSession, ScanRequest } from "./scanned-session";

export type WorkerTask = { id: number; kind: "scan" | "summarize"; request: ScanRequest };

export type WorkerAnswer =
  | { id: number; kind: "progress"; bytesDone: number }
  | { id: number; kind: "scanned"; scanned: ScannedSession }
  | { id: number; kind: "numbers"; numbers: SessionNumbers }
  | {
      id: number;
      kind: "failed";
      error: { code: string; message: string; hint: string; status: number; path?: string };
    };

/** Scans sessions. In the server a pool of worker threads; in tests the functions themselves. */
export type Scans = {
  scan(request: ScanRequest, onProgress: (bytesDone: number) => void): Promise<ScannedSession>;
  summarize(request: ScanRequest, onProgress: (bytesDone: number) => void): Promise<SessionNumbers>;
};

type Waiting = {
  resolve(answer: WorkerAnswer): void;
  reject(error: unknown): void;
  onProgress(bytesDone: number): void;
};

/** One thread and what it has been asked. It is started with the first task and started anew if it dies. */
class ScanThread {
  #worker: Worker | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, Waiting>();

  ask(
    kind: WorkerTask["kind"],
    request: ScanRequest,
    onProgress: (bytesDone: number) => void,
  ): Promise<WorkerAnswer> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#start().postMessage({ id, kind, request } satisfies WorkerTask);
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./scan.worker.ts", import.meta.url));
    worker.unref();
    worker.on("message", (answer: WorkerAnswer) => this.#take(answer));
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", (code) => this.#fail(worker, new Error(`The scanning thread ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #take(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (answer.kind === "progress") {
      waiting?.onProgress(answer.bytesDone);
      return;
    }
    this.#waiting.delete(answer.id);
    if (answer.kind === "failed")
      waiting?.reject(new ViewerError(answer.error.code, answer.error.message, answer.error));
    else waiting?.resolve(answer);
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** Two threads: one scans what a reader has opened, the other goes through the library behind it. */
export function startScanPool(): Scans {
  const opened = new ScanThread();
  const library = new ScanThread();
  return {
    async scan(request, onProgress) {
      const answer = await opened.ask("scan", request, onProgress);
      if (answer.kind !== "scanned") throw new Error(`The scanning thread answered "${answer.kind}"`);
      return answer.scanned;
    },
    async summarize(request, onProgress) {
      const answer = await library.ask("summarize", request, onProgress);
      if (answer.kind !== "numbers") throw new Error(`The scanning thread answered "${answer.kind}"`);
      return answer.numbers;
    },
  };
}
