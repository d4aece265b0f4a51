import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Coalescer } from "./coalescer";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Lets so much time pass, and what is due then run. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Work of so many milliseconds. */
const work = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe("a task's pace", () => {
  it("is once at once, and once more for all that is asked meanwhile", async () => {
    let runs = 0;
    const pace = new Coalescer(30, async () => void (runs += 1));
    for (let n = 0; n < 5; n++) pace.request();
    expect(runs).toBe(1);
    await pass(29);
    expect(runs).toBe(1);
    await pass(1);
    expect(runs).toBe(2);
    await pass(1_000);
    expect(runs).toBe(2);
    // After a pause that has passed it is at once again.
    pace.request();
    expect(runs).toBe(3);
  });

  it("rests for its own work, and not for what it waits for of others", async () => {
    let runs = 0;
    const pace = new Coalescer(
      1,
      async (others) => {
        runs += 1;
        await others(work(1_000));
        await work(5);
      },
      100,
    );
    pace.request();
    await pass(1_005);
    pace.request();
    await pass(499);
    expect(runs).toBe(1);
    await pass(1);
    expect(runs).toBe(2);
  });

  it("never overlaps, and outlives a failure", async () => {
    const failures = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => failures.mockRestore());
    let running = 0;
    let most = 0;
    let runs = 0;
    const pace = new Coalescer(1, async () => {
      runs += 1;
      most = Math.max(most, ++running);
      await work(10);
      running -= 1;
      if (runs === 1) throw new Error("a bug");
    });
    for (let n = 0; n < 10; n++) {
      pace.request();
      await pass(4);
    }
    // At 0, 11, 22 and 33 ms.
    expect([most, runs, failures.mock.calls.length]).toEqual([1, 4, 1]);
  });

  it("begins no run once it is stopped, and ends the one that is under way", async () => {
    let runs = 0;
    let ended = 0;
    const pace = new Coalescer(10, async () => {
      runs += 1;
      await work(5);
      ended += 1;
    });
    pace.request();
    pace.request();
    pace.stop();
    await pass(1_000);
    expect([runs, ended]).toEqual([1, 1]);
    pace.request();
    expect(runs).toBe(1);
  });
});
