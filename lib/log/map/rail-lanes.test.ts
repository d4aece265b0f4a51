import fc from "fast-check";
import { expect, it } from "vitest";
import { LANE_COLUMNS, type RowLane } from "@/lib/wire/rows";
import { LanePhase, lanesBeside, type RailLanes } from "./rail-lanes";

type TestSpan = readonly [from: number, to: number, last: number];

/** Lanes of agents that leave at `from` and do `last` at `to`, those from the third on without a column. */
function lanesOf(spans: readonly TestSpan[]): RailLanes {
  const sorted = [...spans].sort((a, b) => a[0] - b[0]);
  let reach = -1;
  return {
    count: sorted.length,
    from: Int32Array.from(sorted, ([from]) => from),
    to: Int32Array.from(sorted, ([, to]) => to),
    lane: Uint8Array.from(sorted, (_, index) => (index % 8) + 1),
    column: Uint8Array.from(sorted, (_, index) => Math.min(LANE_COLUMNS, index)),
    agent: Uint16Array.from(sorted, (_, index) => index),
    last: Uint8Array.from(sorted, ([, , last]) => last),
    reach: Int32Array.from(sorted, ([, to]) => {
      reach = Math.max(reach, to);
      return reach;
    }),
    spine: new Uint8Array(),
  };
}

/** Spans of a list of 100 rows; an agent that is not seen again is beside the row of its call alone. */
const spansIn100 = fc.array(
  fc
    .tuple(fc.nat(98), fc.nat(60), fc.constantFrom(LanePhase.passes, LanePhase.returns, LanePhase.calls))
    .map(([from, rows, last]): TestSpan => {
      const to = Math.min(99, from + rows + 1);
      return [from, last === LanePhase.calls ? from : last === LanePhase.passes ? 99 : to, last];
    }),
  { maxLength: 40 },
);

it("is the same beside a window as beside the whole list", () => {
  fc.assert(
    fc.property(spansIn100, fc.nat(99), fc.nat(50), (spans, from, count) => {
      const lanes = lanesOf(spans);
      const whole = lanesBeside(lanes, 0, 100);
      const to = Math.min(100, from + count);
      expect(lanesBeside(lanes, from, to)).toEqual(whole.slice(from, to));
    }),
  );
});

it("tells of every agent that is out: as a lane where it has a column, leaves or returns, else by their number", () => {
  fc.assert(
    fc.property(spansIn100, (spans) => {
      const lanes = lanesOf(spans);
      const expected = Array.from({ length: 100 }, (_, row) => {
        const beside: RowLane[] = [];
        for (let index = 0; index < lanes.count; index++) {
          const [from, to, last] = [lanes.from[index] ?? 0, lanes.to[index] ?? 0, lanes.last[index] ?? 0];
          if (row < from || row > to) continue;
          const leaves = last === LanePhase.calls ? last : LanePhase.leaves;
          const phase = row === from ? leaves : row === to ? last : LanePhase.passes;
          beside.push([lanes.lane[index], lanes.column[index], phase, from, lanes.agent[index]] as RowLane);
        }
        const isCounted = ([, column, phase]: RowLane) =>
          column >= LANE_COLUMNS && phase === LanePhase.passes;
        const drawn = beside.filter((lane) => !isCounted(lane));
        return { lanes: drawn.sort((a, b) => a[1] - b[1]), passing: beside.length - drawn.length };
      });
      expect(lanesBeside(lanes, 0, 100)).toEqual(expected);
    }),
  );
});

it("says where an agent leaves, passes and comes back", () => {
  expect(lanesBeside(lanesOf([[1, 3, LanePhase.returns]]), 0, 5).map(({ lanes }) => lanes)).toEqual([
    [],
    [[1, 0, 1, 1, 0]],
    [[1, 0, 0, 1, 0]],
    [[1, 0, 2, 1, 0]],
    [],
  ]);
});
