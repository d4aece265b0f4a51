import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isViewerError } from "./viewer-error";
import { answerTasks, isThreadEnded, toLeastBusy, WorkerThread } from "./worker-thread";

afterEach(() => {
  vi.useRealTimers();
});

/** A thread that answers tasks as `answerTasks` does, without a bundler. */
const SOURCE = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ id, task }) => {
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
  const thread = new WorkerThread<string, string, number>(
    () => {
      const worker = new Worker(SOURCE, { eval: true });
      started.push(worker);
      return worker;
    },
    { farewell: "farewell" },
  );
  return { thread, started };
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
    const { thread, started } = start();
    await thread.ask("a");
    const [first] = started;
    const ended = new Promise((resolve) => first?.once("exit", resolve));
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
    expect(await thread.ask("b")).toBe("b!");
    expect(started).toHaveLength(2);
    thread.stop();
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
