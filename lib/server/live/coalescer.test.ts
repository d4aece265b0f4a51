import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Coalescer } from "./coalescer";

describe("a task's pace", () => {
  it("is once at once, and once more for all that is asked meanwhile", async () => {
    let runs = 0;
    const pace = new Coalescer(30, async () => void (runs += 1));
    for (let n = 0; n < 5; n++) pace.request();
    expect(runs).toBe(1);
    await wait(80);
    expect(runs).toBe(2);
    pace.stop();
  });

  it("rests for its own work, and not for what it waits for of others", async () => {
    let runs = 0;
    const pace = new Coalescer(
      1,
      async (others) => {
        runs += 1;
        await others(wait(1_000));
      },
      100,
    );
    pace.request();
    await expect.poll(() => runs).toBe(1);
    pace.request();
    // For the second that it has waited it would rest for more than a minute.
    await expect.poll(() => runs, { timeout: 60_000 }).toBe(2);
    pace.stop();
  });

  it("never overlaps, and outlives a failure", async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const pace = new Coalescer(1, async () => {
      runs += 1;
      most = Math.max(most, ++running);
      await wait(10);
      running -= 1;
    });
    for (let n = 0; n < 10; n++) {
      pace.request();
      await wait(4);
    }
    expect([most, runs > 2]).toEqual([1, true]);
    pace.stop();
  });
});
