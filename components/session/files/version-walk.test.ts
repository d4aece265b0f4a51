import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { VersionWalk } from "./version-walk";

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => setTimeout(then, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A walk from version 9, with what was written and drawn of it: `shown/read`. */
function walkFrom9() {
  const written: number[] = [];
  const drawn: string[] = [];
  const walk = new VersionWalk((index) => written.push(index));
  walk.arrive(9, 9);
  walk.subscribe(() => {
    const place = walk.get();
    drawn.push(place ? `${place.shown}/${place.read}` : "address");
  });
  return { walk, written, drawn };
}

it("draws a step in one frame and its text in the next", () => {
  const { walk, drawn } = walkFrom9();
  walk.show(8);
  expect(walk.at()).toBe(8);
  expect(drawn).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(drawn).toEqual(["8/9"]);
  vi.advanceTimersToNextTimer();
  expect(drawn).toEqual(["8/9", "8/8"]);
  vi.runAllTimers();
  expect(drawn).toEqual(["8/9", "8/8"]);
});

it("draws once a frame, however often it is told to go on", () => {
  const { walk, drawn, written } = walkFrom9();
  for (const index of [8, 7, 6]) walk.show(index);
  vi.advanceTimersByTime(16);
  expect(drawn).toEqual(["6/9"]);
  expect(written).toEqual([8, 7, 6]);
});

it("reads the version on which the reader comes to rest, and none of those that were passed", () => {
  const { walk, drawn } = walkFrom9();
  walk.show(8);
  vi.advanceTimersByTime(32);
  for (let index = 7; index >= 3; index--) {
    walk.show(index);
    vi.advanceTimersByTime(20);
  }
  expect(drawn).toEqual(["8/9", "8/8", "7/8", "6/8", "5/8", "4/8", "3/8"]);
  vi.advanceTimersByTime(80);
  expect(drawn.at(-1)).toBe("3/3");
});

it("is over when the address says where it led", () => {
  const { walk, drawn } = walkFrom9();
  walk.show(8);
  vi.runAllTimers();
  walk.arrive(8, 8);
  expect(walk.get()).toBeNull();
  expect(walk.at()).toBe(8);
  expect(drawn.at(-1)).toBe("address");
});

it("goes on while the address follows, and ends where something else leads", () => {
  const { walk } = walkFrom9();
  walk.show(8);
  vi.runAllTimers();
  walk.show(7);
  // What was written for the step before; the address is about to say the next.
  walk.arrive(8, 7);
  vi.runAllTimers();
  expect(walk.get()).toEqual({ shown: 7, read: 7 });
  walk.show(6);
  // A way back.
  walk.arrive(2, 2);
  vi.runAllTimers();
  expect(walk.get()).toBeNull();
  expect(walk.at()).toBe(2);
});

it("says nothing more when its view is gone", () => {
  const { walk, drawn } = walkFrom9();
  walk.show(8);
  walk.stop();
  vi.runAllTimers();
  expect(drawn).toEqual([]);
});
