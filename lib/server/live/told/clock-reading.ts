/** What the system's clock said at a moment, and one that nobody sets: milliseconds both. */
export type ClockReading = { clockMs: number; steadyMs: number };

/** What two readings of the clocks may differ by, and what a clock is set by to agree with others. */
const MAX_DRIFT_MS = 5_000;

/** What both clocks say now. */
export function readClocks(): ClockReading {
  return { clockMs: Date.now(), steadyMs: performance.now() };
}

/**
 * What the clock says now, or would say, had it not been set since a moment: how old something is that was read then does
 * not change with it. The time in which a computer sleeps counts for nothing.
 * @returns milliseconds since 1970
 */
export function clockSince({ clockMs, steadyMs }: ClockReading, now = readClocks()): number {
  const unsetMs = clockMs + now.steadyMs - steadyMs;
  return Math.abs(now.clockMs - unsetMs) > MAX_DRIFT_MS ? unsetMs : now.clockMs;
}

/** A clock in milliseconds that is right at first, and that nobody sets. */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}
