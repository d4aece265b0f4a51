import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RestingMemory } from "./resting-memory";

const REST_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const held = () => getHeapStatistics().total_physical_size;

/** Leaves garbage, and returns how many objects that are. */
function makeGarbage(length = 1_600_000): number {
  return Array.from({ length }, (_, n) => ({ n, text: `${n}`, at: n / 3 })).length;
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

/** Later ones return it all at once. */
const NEEDS_SECOND = Number.parseInt(process.versions.v8, 10) < 12;

test.runIf(NEEDS_SECOND).each([false, true])(
  "what is made meanwhile is collected a little later, unless somebody asks: %s",
  (asks) => {
    let isBusy = false;
    const young = () =>
      getHeapSpaceStatistics().find((one) => one.space_name === "new_space")!.space_used_size;
    const memory = new RestingMemory(() => isBusy, 0, 0);
    memory.noteAnswer();
    vi.advanceTimersByTime(REST_MS);
    const before = young();
    makeGarbage(8_000);
    expect(young()).toBeGreaterThan(before + 256_000);
    isBusy = asks;
    vi.advanceTimersByTime(6_000);
    expect(young() > before + 256_000).toBe(asks);
    expect(vi.getTimerCount()).toBe(0);
  },
);
