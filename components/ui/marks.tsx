import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useLastKnown } from "@/lib/client/connection/last-known";

/** The colour class of each lane: 1–8, and 0 for the spine. A lane has the same number and shape in every view. */
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

/** Lane shapes in a 10 × 10 box: circle, diamond, triangle, square, triangle down, hexagon, plus, pentagon. */
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

/** Maps any lane number into the tables above; numbers past the eighth wrap around. */
export function laneIndex(lane: number): number {
  return lane <= 0 ? 0 : ((lane - 1) % 8) + 1;
}

/** A lane's shape in its colour, 9 px. */
export function LaneShape({ lane, className }: { lane: number; className?: string }) {
  const index = laneIndex(lane);
  return (
    <svg
      viewBox="0 0 10 10"
      width="9"
      height="9"
      aria-hidden="true"
      className={clsx("flex-none fill-current", LANE_TEXT[index], className)}
    >
      <path d={LANE_PATHS[index]} />
    </svg>
  );
}

/** The only spinning element: something is running. Still where that is no longer known. Takes its colour from the text. */
export function RunningRing({ label }: { label?: string }) {
  const isKnown = useLastKnown() === null;
  return (
    <span
      className={isKnown ? "ring-turning" : "ring-turning [animation-play-state:paused]"}
      role={label ? "img" : undefined}
      aria-label={label}
    />
  );
}

/** A filled dot that means live. */
export function LiveDot() {
  return <span aria-hidden="true" className="size-[7px] flex-none rounded-full bg-run" />;
}

const TONES = {
  plain: "border-line-2 text-fg-2",
  warn: "border-warn text-warn",
  err: "border-err text-err",
  run: "border-run text-run",
};

/** A word in a frame: MCP, computed, guessed. */
export function Tag({ tone = "plain", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      data-log="none"
      className={clsx("flex-none rounded-1 border px-1 text-[11px]/[15px] whitespace-nowrap", TONES[tone])}
    >
      {children}
    </span>
  );
}

/** A filter in query syntax: `branch:main`, or words alone. */
export function FilterToken({ name, value }: { name: string | null; value: string }) {
  return (
    <span className="inline-flex h-[18px] items-center rounded-1 bg-raised px-[5px] font-mono text-12 text-fg">
      {name !== null && <span className="text-fg-3">{name}:</span>}
      {value}
    </span>
  );
}

/** Marks a session whose log was deleted and is read from the archive. */
export function KeptTag() {
  return (
    <span
      className="mr-1.5 inline-flex flex-none"
      title="Its log was deleted; Backscroll reads the copy that it kept"
    >
      <Tag>kept</Tag>
    </span>
  );
}

/** Marks a session whose main log is gone and only agents' logs are left. */
export function LogGoneTag() {
  return (
    <span className="mr-1.5 inline-flex flex-none" title="The main log is missing; only agent logs remain">
      <Tag tone="warn">log missing</Tag>
    </span>
  );
}
