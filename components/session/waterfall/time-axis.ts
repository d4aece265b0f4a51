import {
  formatClock,
  formatClockSeconds,
  formatDuration,
  formatShortDate,
  startOfDay,
} from "@/lib/format/format";
import { firstPlace } from "@/lib/format/lists";

/** Whether the axis leaves out when nothing happened. */
export type AxisKind = "active" | "clock";

/** A stretch of time that the axis leaves out, with its place on it. */
export type Gap = { fromMs: number; toMs: number; at: number; length: number };

/** Maps times to places on the axis, both in milliseconds: they differ behind gaps that are left out. */
export type TimeAxis = {
  kind: AxisKind;
  startMs: number;
  /** The axis's length. */
  length: number;
  gaps: Gap[];
  placeOf: (ms: number) => number;
  timeAt: (place: number) => number;
};

/** Gaps that are longer are left out of the axis of active time. */
export const MAX_GAP_MS = 60_000;
/** What stands for a gap takes this part of the axis, and all gaps together no more than that. */
const GAP_SHARE = 0.01;
const GAPS_SHARE = 0.2;
const MIN_GAP_LENGTH = 1_000;

/** The axis of stretches of work. @param busy from and to of each, in any order */
export function timeAxis(kind: AxisKind, busy: readonly (readonly [number, number])[]): TimeAxis {
  const sorted = busy.toSorted(([a], [b]) => a - b);
  const startMs = sorted[0]?.[0] ?? 0;
  const found: { fromMs: number; toMs: number }[] = [];
  let endMs = startMs;
  for (const [fromMs, toMs] of sorted) {
    if (kind === "active" && fromMs - endMs > MAX_GAP_MS) found.push({ fromMs: endMs, toMs: fromMs });
    endMs = Math.max(endMs, toMs);
  }
  const left = found.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  const share = Math.min(GAP_SHARE, GAPS_SHARE / found.length);
  const gapLength = Math.max(MIN_GAP_LENGTH, (endMs - startMs - left) * share);
  let cut = 0;
  const gaps = found.map(({ fromMs, toMs }): Gap => {
    const at = fromMs - startMs - cut;
    cut += toMs - fromMs - gapLength;
    return { fromMs, toMs, at, length: gapLength };
  });
  const placeOf = (ms: number): number => {
    const gap = gaps[firstPlace(0, gaps.length, (index) => (gaps[index] as Gap).fromMs > ms) - 1];
    if (!gap) return ms - startMs;
    if (ms >= gap.toMs) return gap.at + gap.length + ms - gap.toMs;
    return gap.at + ((ms - gap.fromMs) / (gap.toMs - gap.fromMs)) * gap.length;
  };
  const timeAt = (place: number): number => {
    const gap = gaps[firstPlace(0, gaps.length, (index) => (gaps[index] as Gap).at > place) - 1];
    if (!gap) return startMs + place;
    if (place >= gap.at + gap.length) return gap.toMs + place - gap.at - gap.length;
    return gap.fromMs + ((place - gap.at) / gap.length) * (gap.toMs - gap.fromMs);
  };
  return { kind, startMs, length: Math.max(1, placeOf(endMs)), gaps, placeOf, timeAt };
}

/** The gaps of which something lies between two places of the axis. */
export function gapsBetween({ gaps }: TimeAxis, from: number, to: number): readonly Gap[] {
  const gap = (index: number) => gaps[index] as Gap;
  const first = firstPlace(0, gaps.length, (index) => gap(index).at + gap(index).length > from);
  const behind = firstPlace(first, gaps.length, (index) => gap(index).at > to);
  return gaps.slice(first, behind);
}

const STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((ms) => ms),
  ...[1, 2, 5, 10, 15, 30].map((s) => s * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((m) => m * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 240, 480].map((h) => h * 3_600_000),
];

/** Places with their labels between two places of the axis, no closer than `least` to each other. */
export function ticksOf(
  axis: TimeAxis,
  from: number,
  to: number,
  least: number,
): { at: number; label: string }[] {
  const step = STEPS_MS.find((one) => one >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const ticks: { at: number; label: string }[] = [];
  if (axis.kind === "active") {
    for (let at = Math.max(0, Math.ceil(from / step)) * step; at <= to; at += step)
      ticks.push({ at, label: formatPlace(at, step) });
    return ticks;
  }
  const sinceMidnight = axis.startMs - startOfDay(axis.startMs) + from;
  // Clocks that are put on or back move an hour of steps.
  for (let nth = Math.floor(sinceMidnight / step) - (step < 3_600_000 ? 0 : 2); ; nth++) {
    const ms = timeOfTick(axis.startMs, nth, step);
    const at = ms - axis.startMs;
    // Also where there is no such time any more.
    if (!(at <= to)) return ticks;
    // Where clocks are put on, two hours are one.
    if (at >= from && at !== ticks.at(-1)?.at) ticks.push({ at, label: formatTime(ms, step) });
  }
}

/** The nth step behind the midnight before the axis begins. From an hour on as clocks tell it: a day may have 23 or 25. */
function timeOfTick(startMs: number, nth: number, step: number): number {
  const midnight = new Date(startOfDay(startMs));
  if (step < 3_600_000) return midnight.getTime() + nth * step;
  return midnight.setHours((nth * step) / 3_600_000);
}

/** Time from the beginning as exactly as ticks of this step need it: `1 m 12 s`, `15.98 s`, `1:12:15.98`. */
function formatPlace(ms: number, step: number): string {
  const told =
    ms < 1_000 ? 1 : ms < 9_950 ? 100 : ms < 3_600_000 ? 1_000 : ms < 86_400_000 ? 60_000 : 3_600_000;
  if (ms === 0) return "0";
  if (step >= told) return formatDuration(ms);
  if (ms < 60_000) return `${(ms / 1_000).toFixed(decimalsOf(step))} s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = `${two(Math.floor(ms / 1_000) % 60)}${fraction(ms, step)}`;
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${two(minutes)}:${seconds}`;
}

/** Midnight is the day that begins. */
function formatTime(ms: number, step: number): string {
  if (ms === startOfDay(ms)) return formatShortDate(ms);
  return step < 60_000 ? formatClockSeconds(ms) + fraction(ms, step) : formatClock(ms);
}

function decimalsOf(step: number): number {
  return step >= 1_000 ? 0 : 3 - Math.floor(Math.log10(step));
}

/** The part of a second that ticks of this step need: `.98`. */
function fraction(ms: number, step: number): string {
  return decimalsOf(step) === 0 ? "" : ((ms % 1_000) / 1_000).toFixed(decimalsOf(step)).slice(1);
}
