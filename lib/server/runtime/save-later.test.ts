import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { SaveLater } from "./save-later";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;

it("tries less and less often until all is saved, and again when there is more", async () => {
  let left = 3;
  const save = vi.fn(async () => --left <= 0);
  const later = new SaveLater(save);
  later.ask();
  later.ask();
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect(save).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect(save).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2 + 2 * MINUTE_MS);
  expect(save).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(save).toHaveBeenCalledTimes(3);
  later.ask();
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect(save).toHaveBeenCalledTimes(4);
});

it("goes on after a failure, which it reports once, at least every ten minutes, and not after it was stopped", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  const save = vi.fn(() => Promise.reject(new Error("the disk is full")));
  const later = new SaveLater(save);
  later.ask();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  // After 0.5, 1, 2, 4, 8 and then every 10 minutes.
  expect(save).toHaveBeenCalledTimes(9);
  expect(reported.mock.calls.map(([, error]) => String(error))).toEqual(["Error: the disk is full"]);
  later.stop();
  later.ask();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(save).toHaveBeenCalledTimes(9);
});
