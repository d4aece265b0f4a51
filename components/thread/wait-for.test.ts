import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { waitFor } from "./wait-for";

/** A frame takes 16 ms of a clock that only frames move. */
beforeEach(() => {
  let nowMs = 0;
  vi.stubGlobal("performance", { now: () => nowMs });
  vi.stubGlobal("requestAnimationFrame", (drawn: (nowMs: number) => void) => {
    nowMs += 16;
    queueMicrotask(() => drawn(nowMs));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("what a jump leads to", () => {
  it("is there with the frame that draws it", async () => {
    let frames = 0;
    expect(await waitFor(() => (frames++ < 3 ? null : "row"))).toBe("row");
    expect(frames).toBe(4);
  });

  it("is given up after two seconds", async () => {
    let frames = 0;
    const never = await waitFor(() => {
      frames += 1;
      return null;
    });
    expect(never).toBeNull();
    expect(frames).toBe(2_000 / 16);
  });
});
