// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** What the health of the server is answered with; without one, nothing. */
let health: (() => Response) | null;
let asked: number;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  health = null;
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    if (!health) throw new TypeError("no answer");
    return health();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function lost() {
  const { noteLoss } = await import("./known-server");
  noteLoss();
  return (await import("./when-back")).whenBack;
}

it("calls once when the server answers again, and asks no more then", async () => {
  const whenBack = await lost();
  const called = vi.fn();
  whenBack(called);
  await pass(20_000);
  expect([called.mock.calls.length, asked]).toEqual([0, 5]);
  health = () => Response.json({});
  await pass(4_000);
  await pass(60_000);
  expect([called.mock.calls.length, asked]).toEqual([1, 6]);
});

it("asks nothing for who no longer waits, and in a tab that nobody looks at", async () => {
  const whenBack = await lost();
  whenBack(() => undefined)();
  await pass(20_000);
  expect(asked).toBe(0);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const stop = whenBack(() => undefined);
  await pass(20_000);
  expect(asked).toBe(0);
  vi.restoreAllMocks();
  document.dispatchEvent(new Event("visibilitychange"));
  expect(asked).toBe(1);
  stop();
});

it("what fails again each time, though the server is there, is asked for ever more rarely", async () => {
  const whenBack = await lost();
  health = () => Response.json({});
  let failures = 0;
  const ask = () => {
    failures += 1;
    whenBack(ask);
  };
  ask();
  await pass(180_000);
  expect(failures).toBeLessThan(9);
});
