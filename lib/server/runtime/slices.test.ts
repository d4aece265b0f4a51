import { expect, it, onTestFinished, vi } from "vitest";
import { nextSlice, RequestActivity } from "./slices";

it("gives others their turn when a slice is over, and does not before, whichever work took it", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  let others = 0;
  const wait = () =>
    setImmediate(() => {
      others += 1;
    });
  await nextSlice();
  wait();
  const works = Array.from({ length: 9 }, async (_, ms) => {
    now.mockReturnValue(ms);
    await nextSlice();
  });
  await Promise.all(works);
  expect(others).toBe(0);
  now.mockReturnValue(11);
  await nextSlice();
  expect(others).toBe(1);
  wait();
  now.mockReturnValue(20);
  await nextSlice();
  expect(others).toBe(1);
  now.mockRestore();
});

it("who waits for quiet goes on when the last request has been answered, or after so long", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const activity = new RequestActivity();
  const ends: (() => void)[] = [];
  const requests = [1, 2].map(() => activity.during(() => new Promise<void>((end) => ends.push(end))));
  const gone: string[] = [];
  const impatient = activity.quiet(50).then(() => gone.push("waited no longer"));
  await vi.advanceTimersByTimeAsync(50);
  await impatient;
  const waiting = activity.quiet(60_000).then(() => gone.push("is quiet"));
  ends[0]?.();
  await requests[0];
  expect(gone).toEqual(["waited no longer"]);
  ends[1]?.();
  await Promise.all([...requests, waiting]);
  expect(gone).toEqual(["waited no longer", "is quiet"]);
  expect(vi.getTimerCount()).toBe(0);
});
