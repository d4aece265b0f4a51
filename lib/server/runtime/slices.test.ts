import { expect, it, vi } from "vitest";
import { nextSlice } from "./slices";

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
