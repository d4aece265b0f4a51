import { getHeapStatistics } from "node:v8";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { returnYoungMemory } from "./heap";
import { RestingMemory } from "./resting-memory";

// What V8 makes of it is no matter of milliseconds: here counts when it is asked.
vi.mock("./heap", async (original) => ({
  ...(await original<typeof import("./heap")>()),
  returnYoungMemory: vi.fn(),
}));

const REST_MS = 10_000;
const SETTLE_MS = 6_000;

beforeEach(() => {
  vi.mocked(returnYoungMemory).mockClear();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const held = () => getHeapStatistics().total_physical_size;

/** Leaves garbage, and returns how many objects that are. */
function makeGarbage(): number {
  return Array.from({ length: 1_600_000 }, (_, n) => ({ n, text: `${n}`, at: n / 3 })).length;
}

test("what answers have left goes back to the system once nobody asks any more, and once", () => {
  let isBusy = false;
  const memory = new RestingMemory(() => isBusy, held());
  makeGarbage();
  const full = held();
  memory.noteAnswer();
  vi.advanceTimersByTime(REST_MS - 1);
  // Another answer begins the rest anew, and so does one that is still being made.
  memory.noteAnswer();
  isBusy = true;
  vi.advanceTimersByTime(REST_MS);
  expect(held()).toBeGreaterThan(full - (8 << 20));
  isBusy = false;
  vi.advanceTimersByTime(REST_MS);
  const left = held();
  expect(left).toBeLessThan(full - (48 << 20));
  memory.noteAnswer();
  vi.advanceTimersByTime(REST_MS);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([false, true])(
  "what is made meanwhile is collected a little later, unless somebody asks: %s",
  (asks) => {
    let isBusy = false;
    const memory = new RestingMemory(() => isBusy, 0, 0);
    memory.noteAnswer();
    vi.advanceTimersByTime(REST_MS);
    isBusy = asks;
    vi.advanceTimersByTime(SETTLE_MS - 1);
    expect(returnYoungMemory).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(returnYoungMemory).toHaveBeenCalledTimes(asks ? 0 : 1);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test("what work has left goes back at once, where that is enough to be worth it", () => {
  const memory = new RestingMemory(() => false, held());
  makeGarbage();
  const full = held();
  memory.giveBack(512 << 20);
  expect(held()).toBeGreaterThan(full - (8 << 20));
  memory.giveBack();
  const left = held();
  expect(left).toBeLessThan(full - (48 << 20));
  // What is held now is what nobody gives back again.
  vi.advanceTimersByTime(SETTLE_MS);
  vi.mocked(returnYoungMemory).mockClear();
  memory.giveBack();
  vi.advanceTimersByTime(SETTLE_MS);
  expect(returnYoungMemory).not.toHaveBeenCalled();
});
