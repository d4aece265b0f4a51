import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort, Worker } from "node:worker_threads";
import { heldBytes } from "./heap";
import { RestingMemory } from "./resting-memory";
import { isThreadNotStarted, ThreadStarts } from "./thread-starts";
import { isViewerError, ViewerError } from "./viewer-error";

/** An error as it crosses threads; `toThreadError` makes it. */
export type ThreadError = {
  code: string | null;
  message: string;
  hint: string;
  status: number;
  path?: string;
  /** The system's code, of an error that is no ViewerError. */
  fault?: string;
};

/** The thread has ended with what it was asked undone: by this task, or by another one that it was given. */
class ThreadEndedError extends Error {
  override readonly name = "ThreadEndedError";
}

/** By name, not `instanceof`, as `isViewerError`. */
export function isThreadEnded(error: unknown): error is Error {
  return error instanceof Error && error.name === "ThreadEndedError";
}

type AskedTask<Task> = { id: number; task: Task };
/** Asks a thread to end when it has done what it was given. */
const END = null;
/** What a thread says first. One that ends without could not be started, whatever it was asked. */
const STARTED = { kind: "started" } as const;
export type Answered<Answer, News> =
  | typeof STARTED
  | { id: number; kind: "news"; news: News }
  | { id: number; kind: "done"; answer: Answer }
  | { id: number; kind: "failed"; error: ThreadError };

type Waiting<Answer, News> = {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  onNews(news: News): void;
};

const STOPPING = "The server is stopping";

/** A thread that has had nothing to do for so long is ended: its heap is worth more than its start. */
const IDLE_MS = 20_000;

/** When an idle thread is ended, and the last task it is given before: what it holds is put in order. */
type Rest<Task> = { farewell?: Task | null; idleMs?: () => number };

/** One thread and what it has been asked. It is started with the first task, and anew if it dies or has been idle. */
export class WorkerThread<Task, Answer, News> {
  readonly #make: () => Worker;
  readonly #farewell: Task | null;
  readonly #idleMs: () => number;
  readonly #waiting = new Map<number, Waiting<Answer, News>>();
  readonly #starts = new ThreadStarts();
  #worker: Worker | null = null;
  #hasStarted = false;
  #nextId = 1;
  #idle: NodeJS.Timeout | null = null;
  #isOver = false;
  #ended: Promise<void> = Promise.resolve();

  /**
   * @param make starts the thread; a bundler must see its `new Worker(new URL(…))`
   */
  constructor(make: () => Worker, { farewell = null, idleMs = () => IDLE_MS }: Rest<Task> = {}) {
    this.#make = make;
    this.#farewell = farewell;
    this.#idleMs = idleMs;
  }

  /**
   * Rejects with the ViewerError that the task threw, an Error with the system's code if it had one where the task failed,
   * a ThreadEndedError where the thread did, and `thread-not-started` where it cannot be started: without another attempt
   * if the last one has just failed.
   * @param moved buffers in the task that go to the thread without a copy
   */
  ask(
    task: Task,
    onNews: (news: News) => void = () => undefined,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Answer> {
    if (this.#isOver) return Promise.reject(new Error(STOPPING));
    if (this.#starts.waitMs > 0) return Promise.reject(this.#starts.fault);
    const id = this.#nextId++;
    if (this.#idle) clearTimeout(this.#idle);
    return new Promise<Answer>((resolve, reject) => {
      const worker = this.#start();
      this.#waiting.set(id, { resolve, reject, onNews });
      worker.postMessage({ id, task } satisfies AskedTask<Task>, [...moved]);
    }).finally(() => this.#rest());
  }

  /** The same of a task for which nobody waits: where the thread cannot be started, until it can be. */
  async askOnceStarted(task: Task): Promise<Answer> {
    for (;;) {
      try {
        return await this.ask(task);
      } catch (error) {
        if (!isThreadNotStarted(error)) throw error;
      }
      await sleep(this.#starts.waitMs, undefined, { ref: false });
    }
  }

  /** Why the thread could not be started when it was tried last; null if it could. */
  get startFault(): ViewerError | null {
    return this.#starts.fault;
  }

  /**
   * Ends the thread for good; what it was doing is rejected, and left to its end: a thread that is terminated inside of
   * @photostructure/sqlite, which is there before Node 22.13, takes the whole process with it.
   */
  stop(): void {
    this.#isOver = true;
    this.#end();
  }

  /** The thread is there and has nothing to do: a task waits neither for its start nor for another task. */
  get isFree(): boolean {
    return this.#worker !== null && this.#waiting.size === 0;
  }

  /** Resolves when what was stopped has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  #end(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#ended = new Promise((resolve) => worker.once("exit", () => resolve()));
    const isIdle = this.#waiting.size === 0;
    this.#fail(worker, new Error(STOPPING));
    if (isIdle) void worker.terminate();
    else worker.postMessage(END);
  }

  #rest(): void {
    if (this.#waiting.size > 0) return;
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#retire(), this.#idleMs());
    this.#idle.unref();
  }

  async #retire(): Promise<void> {
    if (!this.#worker || this.#waiting.size > 0) return;
    // Whatever it fails with, the thread ends.
    if (this.#farewell) await this.ask(this.#farewell).catch(() => undefined);
    if (this.#waiting.size === 0) this.#end();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#made();
    worker.unref();
    worker.on("message", (answer: Answered<Answer, News>) => this.#take(answer));
    worker.on("error", (cause) => this.#noteEnd(worker, cause));
    worker.on("exit", (code) => this.#noteEnd(worker, new Error(`The thread ended with code ${code}`)));
    this.#hasStarted = false;
    this.#worker = worker;
    return worker;
  }

  #made(): Worker {
    try {
      return this.#make();
    } catch (cause) {
      // As where the system has no thread to give.
      throw this.#starts.noteFailed(cause);
    }
  }

  /** The thread has ended by itself. */
  #noteEnd(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    const message = cause instanceof Error ? cause.message : String(cause);
    const ended = this.#hasStarted
      ? new ThreadEndedError(message, { cause })
      : this.#starts.noteFailed(cause);
    this.#fail(worker, ended);
  }

  #take(answered: Answered<Answer, News>): void {
    if (answered.kind === "started") {
      this.#hasStarted = true;
      this.#starts.noteStarted();
      return;
    }
    const waiting = this.#waiting.get(answered.id);
    if (answered.kind === "news") {
      waiting?.onNews(answered.news);
      return;
    }
    this.#waiting.delete(answered.id);
    if (answered.kind === "done") waiting?.resolve(answered.answer);
    else waiting?.reject(fromThreadError(answered.error));
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/**
 * Shares tasks out among threads: each goes to the one that has least to do.
 * @param asks what asks each thread
 * @returns asks one of them; `work` is how much the task is, in whatever unit, `onNews` told what it says meanwhile
 */
export function toLeastBusy<Task, Answer, News>(
  asks: readonly ((task: Task, onNews?: (news: News) => void) => Promise<Answer>)[],
): (task: Task, work: number, onNews?: (news: News) => void) => Promise<Answer> {
  const threads = asks.map((ask) => ({ ask, left: 0 }));
  return (task, work, onNews) => {
    const thread = threads.reduce((least, one) => (one.left < least.left ? one : least));
    thread.left += work;
    return thread.ask(task, onNews).finally(() => {
      thread.left -= work;
    });
  };
}

function fromThreadError({ code, message, fault, ...details }: ThreadError): Error {
  if (code !== null) return new ViewerError(code, message, details);
  return Object.assign(new Error(message), fault === undefined ? {} : { code: fault });
}

type Work<Task, Answer, News> = (task: Task, tell: (news: News) => void) => Answer | Promise<Answer>;

/** Nobody waits for a thread that rests, and there are several: less is worth it than on the server's own. */
const MIN_GROWN_BYTES = 8 << 20;

/**
 * The other side of a `WorkerThread`: does each task and answers it. Buffers of typed arrays are moved, not copied. A
 * thread that rests gives back what its tasks have left behind, long before it is ended: it is there for the next one.
 */
export function answerTasks<Task, Answer, News>(port: MessagePort, work: Work<Task, Answer, News>): void {
  let atWork = 0;
  let isLast = false;
  const memory = new RestingMemory(() => atWork > 0, heldBytes(), MIN_GROWN_BYTES);
  const answer = async ({ id, task }: AskedTask<Task>): Promise<void> => {
    const send = (message: Answered<Answer, News>, moved: ArrayBuffer[] = []) =>
      port.postMessage(message, moved);
    try {
      const value = await work(task, (news) => send({ id, kind: "news", news }));
      send({ id, kind: "done", answer: value }, buffersIn(value));
    } catch (error) {
      send({ id, kind: "failed", error: toThreadError(error) });
    }
  };
  const take = async (asked: AskedTask<Task> | typeof END): Promise<void> => {
    if (asked === END) isLast = true;
    else {
      atWork += 1;
      await answer(asked);
      atWork -= 1;
      memory.noteAnswer();
    }
    // Of a thread: it ends that alone.
    if (isLast && atWork === 0) process.exit();
  };
  port.on("message", (asked: AskedTask<Task> | typeof END) => void take(asked));
  port.postMessage(STARTED);
}

function toThreadError(error: unknown): ThreadError {
  if (isViewerError(error)) {
    const { code, message, hint, status, path } = error;
    return { code, message, hint, status, path };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const fault = error instanceof Error && "syscall" in error && "code" in error ? error.code : null;
  return { code: null, message, hint: "", status: 500, ...(typeof fault === "string" ? { fault } : {}) };
}

/** The buffers of all typed arrays in a value, each once. A start hands over those of every session in one answer. */
export function buffersIn(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (ArrayBuffer.isView(next)) {
      // A pooled Buffer shares its memory with others.
      if (next.buffer instanceof ArrayBuffer && next.byteLength === next.buffer.byteLength)
        found.add(next.buffer);
    } else if (Array.isArray(next)) {
      if (typeof next[0] === "object") for (const inner of next) open.push(inner);
    } else if (
      typeof next === "object" &&
      next !== null &&
      !(next instanceof Map) &&
      !(next instanceof Set)
    ) {
      for (const inner of Object.values(next)) open.push(inner);
    }
  }
  return [...found];
}
