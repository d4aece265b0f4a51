import fc from "fast-check";
import { expect, it } from "vitest";
import { LanePhase, lanesBeside, type RailLanes } from "./rail-lanes";

/** Lanes with their spans alone, each in a column of its own. */
function lanesOf(spans: readonly (readonly [from: number, to: number])[]): RailLanes {
  const sorted = [...spans].sort((a, b) => a[0] - b[0]);
  let reach = -1;
  return {
    count: sorted.length,
    from: Int32Array.from(sorted, ([from]) => from),
    to: Int32Array.from(sorted, ([, to]) => to),
    lane: Uint8Array.from(sorted, (_, index) => (index % 8) + 1),
    column: Uint8Array.from(sorted, (_, index) => index),
    agent: Uint16Array.from(sorted, (_, index) => index),
    last: new Uint8Array(sorted.length).fill(LanePhase.returns),
    reach: Int32Array.from(sorted, ([, to]) => {
      reach = Math.max(reach, to);
      return reach;
    }),
    spine: new Uint8Array(),
  };
}

it("is the same beside a window as beside the whole list", () => {
  const span = fc
    .tuple(fc.nat(99), fc.nat(60))
    .map(([from, rows]) => [from, Math.min(99, from + rows + 1)] as const);
  fc.assert(
    fc.property(fc.array(span, { maxLength: 40 }), fc.nat(99), fc.nat(50), (spans, from, count) => {
      const lanes = lanesOf(spans);
      const whole = lanesBeside(lanes, 0, 100);
      const to = Math.min(100, from + count);
      expect(lanesBeside(lanes, from, to)).toEqual(whole.slice(from, to));
    }),
  );
});

it("says where an agent leaves, passes and comes back", () => {
  expect(lanesBeside(lanesOf([[1, 3]]), 0, 5)).toEqual([
    [],
    [[1, 0, 1, 1, 0]],
    [[1, 0, 0, 1, 0]],
    [[1, 0, 2, 1, 0]],
    [],
  ]);
});
