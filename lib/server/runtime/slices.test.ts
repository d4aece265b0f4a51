import { expect, it, onTestFinished, vi } from "vitest";
import { atOnce, endsStep, type InSteps } from "@/lib/format/in-steps";
import { inSlices, nextSlice, RequestActivity } from "./slices";

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

it("work in steps has the same result in slices, between which others get their turn", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1e9);
  onTestFinished(() => now.mockRestore());
  function* counted(): InSteps<number> {
    let sum = 0;
    for (let item = 0; item < 1_000; item++) {
      sum += item;
      if (endsStep(item)) yield;
    }
    return sum;
  }
  expect(atOnce(counted())).toBe(499_500);
  await nextSlice();
  const turns: number[] = [];
  let steps = 0;
  const stepped = function* (): InSteps<number> {
    const work = counted();
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value;
      now.mockReturnValue(1e9 + ++steps * 20);
      setImmediate(() => turns.push(steps));
      yield;
    }
  };
  expect(await inSlices(stepped())).toBe(499_500);
  expect([steps, turns]).toEqual([3, [1, 2, 3]]);
});
