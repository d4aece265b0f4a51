import { dayOf } from "./usage-series";

/** A range of days, both included; null where it has no end on that side. */
export type DayRange = { label: string; from: string | null; to: string | null };

const monthName = (day: Date) => day.toLocaleDateString("en", { month: "short" });

/**
 * The ranges that are one click away, on a day, or today. Months are the calendar's, as bills have them: the last one and
 * this, by their names, for which the bar has room.
 */
export function usageRanges(today = new Date()): DayRange[] {
  const firstOfMonth = (months: number) => new Date(today.getFullYear(), today.getMonth() + months, 1);
  const lastMonthsEnd = new Date(today.getFullYear(), today.getMonth(), 0);
  const days = [7, 30, 90].map((count) => {
    const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1 - count);
    return { label: `${count} d`, from: dayOf(first), to: null };
  });
  return [
    ...days,
    { label: monthName(lastMonthsEnd), from: dayOf(firstOfMonth(-1)), to: dayOf(lastMonthsEnd) },
    { label: monthName(today), from: dayOf(firstOfMonth(0)), to: null },
    { label: "All", from: null, to: null },
  ];
}

/**
 * The one of these ranges that is shown; undefined for any other days. Two may have the same days, such as 30 d and the
 * month on its 30th: then it is the one that was chosen, by its label.
 */
export function shownRange(
  ranges: readonly DayRange[],
  { from, to }: Pick<DayRange, "from" | "to">,
  chosen: string | null,
): DayRange | undefined {
  const same = ranges.filter((one) => one.from === from && one.to === to);
  return same.find(({ label }) => label === chosen) ?? same[0];
}
