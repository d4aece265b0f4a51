import { expect, it, vi } from "vitest";
import { Turns } from "./turns";

it("gives others their turn when its slice is over, and does not before", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  let others = 0;
  const turns = new Turns();
  setImmediate(() => {
    others += 1;
  });
  now.mockReturnValue(9);
  await turns.next();
  expect(others).toBe(0);
  now.mockReturnValue(11);
  await turns.next();
  expect(others).toBe(1);
  setImmediate(() => {
    others += 1;
  });
  now.mockReturnValue(20);
  await turns.next();
  expect(others).toBe(1);
  now.mockRestore();
});
