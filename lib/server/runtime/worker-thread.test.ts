import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { returnSpareMemory } from "./heap";
import { isViewerError, ViewerError } from "./viewer-error";
import { answerTasks, buffersIn, isThreadEnded, toLeastBusy, WorkerThread } from "./worker-thread";

vi.mock("./heap", async (original) => ({
  ...(await original<typeof import("./heap")>()),
  returnSpareMemory: vi.fn(() => true),
}));

afterEach(() => {
  vi.useRealTimers();
});

/** A thread that answers tasks as `answerTasks` does, without a bundler. */
const SOURCE = `
  const { parentPort } = require("node:worker_threads");
  parentPort.postMessage({ kind: "started" });
  parentPort.on("message", (asked) => {
    if (asked === null) process.exit();
    const { id, task } = asked;
    if (task instanceof SharedArrayBuffer) {
      const state = new Int32Array(task);
      Atomics.store(state, 0, 1);
      Atomics.wait(state, 1, 0);
      Atomics.store(state, 2, 1);
    }
    if (task === "die") process.exit(3);
    if (task === "fail") parentPort.postMessage({ id, kind: "failed", error: { code: "file-gone", message: "gone", hint: "", status: 404 } });
    else {
      parentPort.postMessage({ id, kind: "news", news: 1 });
      parentPort.postMessage({ id, kind: "done", answer: task + "!" });
    }
  });
`;

function start() {
  const started: Worker[] = [];
  /** What the threads have been asked, farewells too. */
  const asked: unknown[] = [];
  const thread = new WorkerThread<string, string, number>(
    () => {
      const worker = new Worker(SOURCE, { eval: true });
      started.push(worker);
      const post = worker.postMessage.bind(worker);
      vi.spyOn(worker, "postMessage").mockImplementation((message: { task: unknown } | null, moved) => {
        asked.push(message?.task);
        post(message, moved);
      });
      return worker;
    },
    { farewell: "farewell" },
  );
  return { thread, started, asked };
}

describe("WorkerThread", () => {
  it("answers each task, with news before", async () => {
    const { thread } = start();
    const news: number[] = [];
    expect(await Promise.all([thread.ask("a", (one) => news.push(one)), thread.ask("b")])).toEqual([
      "a!",
      "b!",
    ]);
    expect(news).toEqual([1]);
    await expect(thread.ask("fail")).rejects.toSatisfy(
      (error) => isViewerError(error) && error.code === "file-gone",
    );
    thread.stop();
  });

  it("names the system's fault that a task failed with", async () => {
    const { port1, port2 } = new MessageChannel();
    answerTasks<string, string, never>(port1, (path) => readFileSync(path, "utf8"));
    const thread = new WorkerThread<string, string, never>(() => port2 as unknown as Worker);
    await expect(thread.ask(join(import.meta.dirname, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
    port1.close();
  });

  it("has the error that its task threw, with its hint and the path that it is about", async () => {
    const { port1, port2 } = new MessageChannel();
    const details = { hint: "Check it.", path: "/logs/a.jsonl", status: 409 };
    answerTasks<string, string, never>(port1, () => {
      throw new ViewerError("file-gone", "It is gone", details);
    });
    const thread = new WorkerThread<string, string, never>(() => port2 as unknown as Worker);
    await expect(thread.ask("a")).rejects.toMatchObject({
      code: "file-gone",
      message: "It is gone",
      ...details,
    });
    port1.close();
  });

  it("is started anew when it has died", async () => {
    const { thread, started } = start();
    const asked = [thread.ask("die"), thread.ask("waits")];
    for (const one of await Promise.allSettled(asked)) {
      expect(one).toMatchObject({ reason: { message: "The thread ended with code 3" } });
      expect(isThreadEnded(one.status === "rejected" && one.reason)).toBe(true);
    }
    expect(await thread.ask("again")).toBe("again!");
    expect(started).toHaveLength(2);
    thread.stop();
  });

  it("ends when it has nothing to do, and starts again for the next task", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { thread, started, asked } = start();
    await thread.ask("a");
    const [first] = started;
    const ended = new Promise((resolve) => first?.once("exit", resolve));
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    expect(asked).toEqual(["a", "farewell"]);
    expect(await thread.ask("b")).toBe("b!");
    expect(started).toHaveLength(2);
    thread.stop();
  });
});

it("is free while it runs and has nothing to do", async () => {
  const { thread } = start();
  expect(thread.isFree).toBe(false);
  const first = thread.ask("a");
  expect(thread.isFree).toBe(false);
  await first;
  expect(thread.isFree).toBe(true);
  thread.stop();
  expect(thread.isFree).toBe(false);
});

describe("a WorkerThread that is stopped", () => {
  it("takes no further task, and starts no thread for one", async () => {
    const { thread, started } = start();
    await thread.ask("a");
    thread.stop();
    await expect(thread.ask("b")).rejects.toThrow("The server is stopping");
    expect(started).toHaveLength(1);
  });

  it("says when its thread has ended", async () => {
    const { thread, started } = start();
    await thread.ask("a");
    let hasEnded = false;
    started[0]?.once("exit", () => {
      hasEnded = true;
    });
    thread.stop();
    expect(hasEnded).toBe(false);
    await thread.ended;
    expect(hasEnded).toBe(true);
  });
});

describe("a WorkerThread that cannot be started", () => {
  const brokenUntil = (starts: number, breakIt: () => Worker) => {
    let made = 0;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const thread = new WorkerThread<string, string, number>(() => {
      made += 1;
      return made > starts ? new Worker(SOURCE, { eval: true }) : breakIt();
    });
    onTestFinished(() => thread.stop());
    return { thread, said, made: () => made };
  };
  const failing = (message: string) => () =>
    new Worker(`throw new Error(${JSON.stringify(message)})`, { eval: true });

  it("is tried again ever later, and the terminal is told once", async () => {
    const { thread, said, made } = brokenUntil(7, failing("a broken preload"));
    const first = thread.ask("a");
    const fault = {
      code: "thread-not-started",
      message: "A thread of Backscroll cannot be started: a broken preload",
    };
    await expect(first).rejects.toMatchObject(fault);
    for (let n = 0; n < 50; n += 1) await expect(thread.ask("a")).rejects.toMatchObject(fault);
    expect(made()).toBe(1);
    expect(thread.startFault).toMatchObject(fault);
    // After 1, 2, 4, 8, 16 and 32 seconds.
    for (const [nth, waitMs] of [1, 2, 4, 8, 16, 32].map((s, at) => [at + 1, s * 1_000] as const)) {
      vi.advanceTimersByTime(waitMs - 1);
      await expect(thread.ask("a")).rejects.toMatchObject(fault);
      expect(made()).toBe(nth);
      vi.advanceTimersByTime(1);
      await expect(thread.ask("a")).rejects.toMatchObject(fault);
      expect(made()).toBe(nth + 1);
    }
    vi.advanceTimersByTime(60_000);
    expect(await thread.ask("a")).toBe("a!");
    expect(thread.startFault).toBe(null);
    expect(said).toHaveBeenCalledOnce();
  });

  it("answers what could wait when it can be", async () => {
    const { thread, made } = brokenUntil(1, failing("a limit"));
    const asked = [thread.askOnceStarted("a"), thread.askOnceStarted("b")];
    await vi.waitFor(() => expect(thread.startFault).not.toBe(null), { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(asked)).toEqual(["a!", "b!"]);
    expect(made()).toBe(2);
  });

  it("says so where the system gives none", async () => {
    const { thread } = brokenUntil(1, () => {
      throw new Error("EAGAIN");
    });
    await expect(thread.ask("a")).rejects.toMatchObject({ code: "thread-not-started" });
    expect(thread.isFree).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(await thread.ask("a")).toBe("a!");
    // A task that was never given away keeps no thread from resting.
    expect(thread.isFree).toBe(true);
  });
});

/** What a thread waits for in the middle of its task: that it has begun, that it may go on, that it came to the end. */
const BEGUN = 0;
const GO_ON = 1;
const DONE = 2;

/** What comes first at a port after the word that the thread has started. */
async function answerAt(port: MessagePort): Promise<unknown> {
  for (;;) {
    const [said] = (await once(port, "message")) as [{ kind: string }];
    if (said.kind !== "started") return said;
  }
}

describe("a thread that is stopped at work", () => {
  it("is not terminated, but ends when the task does; whoever asked is told at once", async () => {
    let worker: Worker | undefined;
    const thread = new WorkerThread<SharedArrayBuffer, string, number>(
      () => (worker = new Worker(SOURCE, { eval: true })),
    );
    const state = new Int32Array(new SharedArrayBuffer(12));
    const asked = thread.ask(state.buffer);
    await vi.waitFor(() => expect(Atomics.load(state, BEGUN)).toBe(1), 20_000);
    const ended = once(worker as Worker, "exit");
    thread.stop();
    await expect(asked).rejects.toThrow("The server is stopping");
    Atomics.store(state, GO_ON, 1);
    Atomics.notify(state, GO_ON);
    await ended;
    expect(Atomics.load(state, DONE)).toBe(1);
  });

  it("ends itself with the last of its tasks", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    onTestFinished(() => exit.mockRestore());
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port2.close());
    let finish: (() => void) | null = null;
    const work = () =>
      new Promise<string>((done) => {
        finish = () => done("done");
      });
    answerTasks<string, string, never>(port1, work);
    port2.postMessage({ id: 1, task: "a" });
    port2.postMessage(null);
    const go = await vi.waitFor(() => finish ?? Promise.reject(new Error("not begun")));
    await new Promise((turn) => setImmediate(turn));
    expect(exit).not.toHaveBeenCalled();
    const answered = answerAt(port2);
    go();
    await answered;
    await vi.waitFor(() => expect(exit).toHaveBeenCalledOnce());
  });

  it("gives back what its tasks have left behind, once it has rested", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.mocked(returnSpareMemory).mockClear();
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port2.close());
    answerTasks<number, number, never>(port1, (length) => length);
    const answered = answerAt(port2);
    port2.postMessage({ id: 1, task: 1_000 });
    await answered;
    await new Promise((turn) => setImmediate(turn));
    vi.advanceTimersByTime(9_999);
    // V8 may have collected meanwhile, so what is held says nothing.
    expect(returnSpareMemory).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(returnSpareMemory).toHaveBeenCalledOnce();
  });
});

describe("toLeastBusy", () => {
  it("asks the thread that has least to do", async () => {
    const asked: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = toLeastBusy(
      ["one", "two"].map((thread) => async (task: string) => {
        asked.push(`${thread}: ${task}`);
        await new Promise<void>((resolve) => ends.set(task, resolve));
        if (task === "c") throw new Error("c failed");
        return thread;
      }),
    );
    const large = ask("a", 10);
    const others = [ask("b", 1), ask("c", 2), ask("d", 3)];
    ends.get("c")?.();
    await expect(others[1]).rejects.toThrow("c failed");
    ends.get("a")?.();
    expect(await large).toBe("one");
    others.push(ask("e", 1));
    expect(asked).toEqual(["one: a", "two: b", "two: c", "two: d", "one: e"]);
    for (const end of ends.values()) end();
    expect(await Promise.all([others[0], others[2], others[3]])).toEqual(["two", "two", "one"]);
  });
});

describe("buffersIn", () => {
  const words = (...values: number[]) => Uint32Array.from(values);

  it("finds each buffer once, and none that is shared", () => {
    const [one, other] = [words(1), words(2)];
    const pooled = Buffer.from("a");
    const found = buffersIn({ shares: [{ one }, { other, again: one }, null], names: ["a"], pooled });
    expect(found).toHaveLength(2);
    expect(new Set(found)).toEqual(new Set([one.buffer, other.buffer]));
    expect(buffersIn("a")).toEqual([]);
  });

  // A start hands over the numbers of 20,000 sessions in one answer.
  it("looks at each once, however many there are", () => {
    const iterated = vi.spyOn(Set.prototype, Symbol.iterator);
    onTestFinished(() => iterated.mockRestore());
    const shares = Array.from({ length: 1_000 }, (_, n) => ({ messages: words(n), turns: words(n) }));
    expect(buffersIn({ shares })).toHaveLength(2_000);
    expect(iterated.mock.calls.length).toBeLessThanOrEqual(1);
  });
});
