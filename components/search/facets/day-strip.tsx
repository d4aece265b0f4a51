import { clsx } from "clsx";
import { useNow } from "@/lib/client/use-now";
import { formatDate, formatDay, formatPlural, formatShortDate, startOfDay } from "@/lib/format/format";

const MAX_DAYS = 28;

/** Hits by day, the latest four weeks with any at the right; a click shows only one day. */
export function DayStrip({
  days,
  chosen,
  onChange,
}: {
  days: readonly [day: number, count: number][];
  chosen: readonly number[];
  onChange: (days: number[]) => void;
}) {
  const year = new Date(useNow()).getFullYear();
  const dayWords = (day: number) =>
    new Date(day).getFullYear() === year ? formatShortDate(day) : formatDate(day);
  const known = days.toSorted(([left], [right]) => left - right);
  const last = known.at(-1)?.[0];
  const first = known[0]?.[0];
  if (first === undefined || last === undefined) return null;
  const counts = new Map(days);
  const span = Math.min(MAX_DAYS, Math.round((last - first) / 86_400_000) + 1);
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
          const name = formatDay(day);
          return (
            <button
              key={day}
              type="button"
              aria-pressed={on}
              aria-label={`${name}: ${formatPlural(count, "result")}`}
              title={`${name}: ${formatPlural(count, "result")}`}
              disabled={count === 0 && !on}
              onClick={() => onChange(on ? chosen.filter((one) => one !== day) : [day])}
              className="flex h-full max-w-6 min-w-1 flex-1 items-end hover:bg-raised"
            >
              <span
                className={clsx("w-full", on ? "bg-accent" : "bg-fg-3", count === 0 && "bg-line-2")}
                style={{ height: count === 0 ? 1 : `${Math.max(12, (100 * count) / most)}%` }}
              />
            </button>
          );
        })}
      </div>
      <p className="mt-1 flex justify-between text-11 text-fg-2">
        <span>
          {dayWords(shown[0] ?? first)}
          {before > 0 && <span className="text-fg-3"> · {formatPlural(before, "result")} earlier</span>}
        </span>
        {span > 1 && <span>{dayWords(last)}</span>}
      </p>
    </fieldset>
  );
}
