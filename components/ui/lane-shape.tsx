import { cx } from "@/lib/client/class-names";

/** Colour class of a lane, 1–8; 0 is the spine. A lane keeps its number, so its shape too, in every view. */
export const LANE_TEXT = [
  "text-spine",
  "text-lane-1",
  "text-lane-2",
  "text-lane-3",
  "text-lane-4",
  "text-lane-5",
  "text-lane-6",
  "text-lane-7",
  "text-lane-8",
] as const;

/** Outlines in a box of 10: circle, diamond, triangle, square, triangle down, hexagon, plus, pentagon. */
export const LANE_PATHS = [
  "M5 1.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6z",
  "M5 1.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6z",
  "M5 .3 9.7 5 5 9.7.3 5z",
  "M5 .8 9.6 9H.4z",
  "M1.2 1.2h7.6v7.6H1.2z",
  "M5 9.2 9.6 1H.4z",
  "M2.7 1h4.6L9.7 5 7.3 9H2.7L.3 5z",
  "M3.4.6h3.2v2.8h2.8v3.2H6.6v2.8H3.4V6.6H.6V3.4h2.8z",
  "M5 .4 9.7 3.9 7.9 9.3H2.1L.3 3.9z",
] as const;

/** Numbers past the eighth start over; never outside the tables above. */
export function laneIndex(lane: number): number {
  return lane <= 0 ? 0 : ((lane - 1) % 8) + 1;
}

/** A lane's mark in its colour, 9 px. */
export function LaneShape({ lane, className }: { lane: number; className?: string }) {
  const index = laneIndex(lane);
  return (
    <svg
      viewBox="0 0 10 10"
      width="9"
      height="9"
      aria-hidden="true"
      className={cx("flex-none fill-current", LANE_TEXT[index], className)}
    >
      <path d={LANE_PATHS[index]} />
    </svg>
  );
}
