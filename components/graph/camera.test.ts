import { expect, test } from "vitest";
import { openingCamera } from "./camera";
import { type GraphLayout, ROW_PX } from "./graph-layout";

/** A graph that is too wide for its view, with four agents above its line and a branch below it. */
const layout = { top: -4, bottom: 1, widthPx: 4_000 } as GraphLayout;
const END = 3_990;

/** How much of the rows, in pixels of the screen, is above and below a view of this height. */
function cutAt(height: number) {
  const camera = openingCamera(layout, { width: 1_000, height }, END, 0);
  const above = (camera.y - layout.top * ROW_PX) * camera.scale;
  const below = (layout.bottom * ROW_PX - camera.y) * camera.scale - height;
  return { scale: camera.scale, above: Math.max(0, above), below: Math.max(0, below) };
}

test("a graph is opened at a scale at which it is read, in a low window so far out that all of its agents show", () => {
  expect(cutAt(900)).toEqual({ scale: 0.8, above: 0, below: 0 });
  for (const height of [420, 380, 340, 320]) {
    const { scale, ...cut } = cutAt(height);
    expect(cut, `in ${height} px`).toEqual({ above: 0, below: 0 });
    expect(scale).toBeGreaterThanOrEqual(0.6);
  }
  // Labels are read even where there is no room for all of the lines; then the end is what is seen.
  expect(cutAt(150)).toMatchObject({ scale: 0.6, below: 0 });
});
