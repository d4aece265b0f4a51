import { ownZone } from "@/lib/format/format";
import type { UsageBy } from "@/lib/wire/usage";

/** The offset of a time zone's clock from UTC at a moment, both in milliseconds. */
type Clock = (ms: number) => number;

const DAY_MS = 86_400_000;

/**
 * The clock of a reader who may be elsewhere than this machine: of the zone with this name (`Europe/Berlin`); this
 * machine's for `null`, and for a name that is not known here.
 */
export function clockOf(zone: string | null): Clock {
  const own: Clock = (ms) => -60_000 * new Date(ms).getTimezoneOffset();
  // This is a hundred times faster.
  if (zone === null || zone === ownZone()) return own;
  const format = formatIn(zone);
  if (format === null) return own;
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, ...rest] = FIELDS.map((field) => parts.get(field) ?? 0);
    return Date.UTC(year, month - 1, ...rest) - Math.floor(ms / 1000) * 1000;
  };
}

const FIELDS = ["year", "month", "day", "hour", "minute", "second"] as const;

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, "numeric"]));
  try {
    return new Intl.DateTimeFormat("en", { ...fields, timeZone, hourCycle: "h23" });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A day (`2026-11-19`), or a moment in epoch milliseconds. */
type Bound = { day: string } | { ms: number };

/** From the beginning of the first to the end of the last, if that is a day. `null` is no bound. */
export function rangeOf({ from, to, zone }: { from: Bound | null; to: Bound | null; zone: string | null }): {
  fromMs: number | null;
  toMs: number | null;
} {
  const clock = clockOf(zone);
  const startOf = (bound: Bound, daysLater: number) =>
    "ms" in bound ? bound.ms : momentOn(clock, Date.parse(bound.day) + daysLater * DAY_MS);
  return { fromMs: from && startOf(from, 0), toMs: to && startOf(to, 1) };
}

/**
 * The first moment at which a clock shows a time, both in epoch milliseconds; of a time that it leaves out, such as the
 * midnight at which it is set forward in Santiago, as long after the change as that time is.
 * @param shownMs that time as if it were in UTC
 */
export function momentOn(clock: Clock, shownMs: number): number {
  // The clock may change on that day. No offset is as long as a day, so these are from before and from after.
  const moments = [-DAY_MS, DAY_MS].map((ms) => shownMs - clock(shownMs + ms)).sort((a, b) => a - b);
  const [first = shownMs, last = shownMs] = moments;
  return first + clock(first) === shownMs ? first : last;
}

/** The day, week (its Monday) or month of a second by a clock; "" for 0, which means unknown. */
export function timeKeys(
  by: Extract<UsageBy, "day" | "week" | "month">,
  clock: Clock,
): (second: number) => string {
  const offsets = new Map<number, number>();
  const keys = new Map<number, string>();
  let known = { utcDay: Number.NaN, offset: Number.NaN, localDay: Number.NaN, key: "" };
  return (second) => {
    if (second === 0) return "";
    const ms = second * 1000;
    const utcDay = Math.floor(ms / DAY_MS);
    if (utcDay === known.utcDay && Math.floor((ms + known.offset) / DAY_MS) === known.localDay)
      return known.key;
    // Asking the clock for each of 100,000 seconds would take longer than everything else.
    const offset = offsets.get(utcDay) ?? offsetOn(utcDay, clock);
    offsets.set(utcDay, offset);
    const localDay = Math.floor((ms + (Number.isNaN(offset) ? clock(ms) : offset)) / DAY_MS);
    const key = keys.get(localDay) ?? keyOf(by, localDay);
    keys.set(localDay, key);
    known = { utcDay, offset, localDay, key };
    return key;
  };
}

/** The clock's offset on a day; NaN on a day on which it changes. */
function offsetOn(utcDay: number, clock: Clock): number {
  const offset = clock(utcDay * DAY_MS);
  return offset === clock((utcDay + 1) * DAY_MS) ? offset : Number.NaN;
}

/** @param localDay counted as days of UTC are */
function keyOf(by: "day" | "week" | "month", localDay: number): string {
  const day = new Date(localDay * DAY_MS);
  if (by === "week") day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, by === "month" ? 7 : 10);
}
