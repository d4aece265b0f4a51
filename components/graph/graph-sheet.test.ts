import { expect, test } from "vitest";
import { graphStrips } from "./graph-sheet";

const seenOf = (strip: ReturnType<typeof graphStrips>[number] | undefined) => {
  const { camera, size } = strip ?? { camera: { x: 0, y: 0, scale: 1 }, size: { width: 0, height: 0 } };
  return [camera.x, camera.x + size.width / camera.scale] as const;
};

test("a short graph is one picture, at a readable size", () => {
  const strips = graphStrips({ widthPx: 900, top: -1, bottom: 2 });
  expect(strips).toHaveLength(1);
  expect(strips[0]?.camera.scale).toBe(0.8);
  const [from, to] = seenOf(strips[0]);
  expect(from).toBeLessThan(0);
  expect(to).toBeGreaterThan(900);
});

test("a longer one continues in the next strip shortly before the end of the one before", () => {
  const strips = graphStrips({ widthPx: 4_000, top: 0, bottom: 0 });
  expect(strips.length).toBeGreaterThan(2);
  const seams = strips.slice(1).map((strip, at) => seenOf(strip)[0] - seenOf(strips[at])[1]);
  for (const gap of seams) expect(gap).toBeCloseTo(-75);
  expect(seenOf(strips.at(-1))[1]).toBeGreaterThan(4_000);
});

test("a graph of any length has at most twelve strips", () => {
  for (const widthPx of [15_000, 200_000, 3_000_000]) {
    const strips = graphStrips({ widthPx, top: -4, bottom: 9 });
    expect(strips).toHaveLength(12);
    expect(seenOf(strips.at(-1))[1]).toBeGreaterThanOrEqual(widthPx);
  }
});
