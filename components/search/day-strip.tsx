import { cx } from "@/lib/client/class-names";
import { formatPlural } from "@/lib/format/format-count";
import { formatFullTime, formatWhen, startOfDay } from "@/lib/format/format-time";

const MOST_DAYS = 28;

/** Hits by day, the latest four weeks that have any at the right; a click shows one day alone. */
export function DayStrip({
  days,
  chosen,
  onChange,
}: {
  days: readonly [day: number, count: number][];
  chosen: readonly number[];
  onChange: (days: number[]) => void;
}) {
  const known = days.toSorted(([left], [right]) => left - right);
  const last = known.at(-1)?.[0];
  const first = known[0]?.[0];
  if (first === undefined || last === undefined) return null;
  const counts = new Map(days);
  const span = Math.min(MOST_DAYS, Math.round((last - first) / 86_400_000) + 1);
  const shown = Array.from({ length: span }, (_, n) => startOfDay(last, span - 1 - n));
  const most = Math.max(1, ...shown.map((day) => counts.get(day) ?? 0));
  const before = known.filter(([day]) => day < (shown[0] ?? 0)).reduce((sum, [, count]) => sum + count, 0);
  return (
    <fieldset className="px-3">
      <legend className="pt-2.5 pb-1 text-11 text-fg-3">When</legend>
      <div className="flex h-6 items-end gap-px">
        {shown.map((day) => {
          const count = counts.get(day) ?? 0;
          const on = chosen.includes(day);
          const name = formatFullTime(day).split(",")[0];
          return (
            <button
              key={day}
              type="button"
              aria-pressed={on}
              aria-label={`${name}: ${formatPlural(count, "hit")}`}
              title={`${name}: ${formatPlural(count, "hit")}`}
              disabled={count === 0 && !on}
              onClick={() => onChange(on ? chosen.filter((one) => one !== day) : [day])}
              className="flex h-full max-w-6 min-w-1 flex-1 items-end hover:bg-raised"
            >
              <span
                className={cx("w-full", on ? "bg-accent" : "bg-fg-3", count === 0 && "bg-line-2")}
                style={{ height: count === 0 ? 1 : `${Math.max(12, (100 * count) / most)}%` }}
              />
            </button>
          );
        })}
      </div>
      <p className="mt-1 flex justify-between text-11 text-fg-2">
        <span>
          {dayWords(shown[0] ?? first)}
          {before > 0 && <span className="text-fg-3"> · {formatPlural(before, "hit")} before</span>}
        </span>
        {span > 1 && <span>{dayWords(last)}</span>}
      </p>
    </fieldset>
  );
}

/** Without the time of day, which a midnight has no use for. */
function dayWords(day: number): string {
  return formatWhen(day, day + 20 * 86_400_000);
}
