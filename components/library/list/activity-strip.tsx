import type { Activity } from "@/lib/wire/library";

const WIDTH = 150;
const HEIGHT = 18;
const BASE = 14;
const TALLEST = 11;

/**
 * A session's records over its duration: bars for their number, crosses for errors, a double line at a compaction, a
 * line below while agents ran. Three or four paths however many slices there are.
 */
export function ActivityStrip({ activity, running }: { activity: Activity; running: boolean }) {
  const { density, errors, compactions, agents } = activity;
  const pitch = WIDTH / Math.max(1, density.length);
  const last = running ? density.findLastIndex((level) => level > 0) : -1;
  const bar = (level: number, slice: number) =>
    level > 0 ? rect(slice * pitch, BASE - barHeight(level), pitch - 1, barHeight(level)) : "";
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      className="block flex-none"
    >
      <path
        className="fill-line-3"
        d={density.map((level, slice) => (slice === last ? "" : bar(level, slice))).join("")}
      />
      {last >= 0 ? <path className="fill-run" d={bar(density[last] ?? 0, last)} /> : null}
      {agents.length > 0 ? (
        <path
          className="fill-lane-2"
          d={agents.map((slice) => rect(slice * pitch, 15.5, pitch, 2)).join("")}
        />
      ) : null}
      {compactions.length > 0 ? (
        <path
          className="stroke-fg-2"
          d={compactions.map((slice) => doubleLine(slice * pitch + pitch / 2)).join("")}
        />
      ) : null}
      {errors.length > 0 ? (
        <path
          className="stroke-err [stroke-width:1.4]"
          d={errors.map((slice) => cross(slice * pitch + pitch / 2)).join("")}
        />
      ) : null}
    </svg>
  );
}

function barHeight(level: number): number {
  return Math.max(1.5, (level / 9) * TALLEST);
}

function rect(x: number, y: number, width: number, height: number): string {
  return `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h-${width.toFixed(1)}z`;
}

function doubleLine(x: number): string {
  return `M${(x - 1).toFixed(1)} 3v12M${(x + 1).toFixed(1)} 3v12`;
}

function cross(x: number): string {
  return `M${(x - 1.8).toFixed(1)} .5l3.6 3.6m0-3.6l-3.6 3.6`;
}
