import { expect, it, vi } from "vitest";
import { PositionStore } from "./thread-position";

const AT_TOP = { first: 0, last: 20, total: 100, turn: 1, selected: 0, atEnd: false, fresh: 0 };

async function isDone(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((done) => setImmediate(done, false))]);
}

it("a row is reached when it is selected and in view, not before", async () => {
  const store = new PositionStore();
  store.set(AT_TOP);
  expect(await isDone(store.reached(0))).toBe(true);
  const reached = store.reached(40);
  store.set({ ...AT_TOP, selected: 40 });
  expect(await isDone(reached)).toBe(false);
  store.set({ ...AT_TOP, selected: 40, first: 38, last: 60 });
  expect(await isDone(reached)).toBe(true);
});

it("a row that never comes is not waited for", async () => {
  vi.useFakeTimers();
  try {
    const store = new PositionStore();
    store.set(AT_TOP);
    const reached = store.reached(40);
    await vi.advanceTimersByTimeAsync(1_000);
    await reached;
    expect(store.get()).toEqual(AT_TOP);
  } finally {
    vi.useRealTimers();
  }
});
