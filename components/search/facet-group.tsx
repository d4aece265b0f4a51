import { useState } from "react";
import { cx } from "@/lib/client/class-names";
import { formatCount } from "@/lib/format/format-count";

const SHOWN = 8;

/** A facet's values with their counts, those with the most hits first. */
export function FacetGroup({
  title,
  values,
  chosen,
  growing,
  nameOf,
  onToggle,
}: {
  title: string;
  values: readonly [value: string, count: number][];
  chosen: readonly string[];
  growing: boolean;
  nameOf: (value: string) => string;
  onToggle: (value: string) => void;
}) {
  const [all, setAll] = useState(false);
  if (values.length === 0) return null;
  const shown = all ? values : values.slice(0, SHOWN);
  return (
    <fieldset>
      <legend className="px-3 pt-2.5 pb-0.5 text-11 text-fg-3">{title}</legend>
      {shown.map(([value, count]) => (
        <label
          key={value}
          className="grid min-h-6 grid-cols-[14px_minmax(0,1fr)_auto] items-center gap-x-2 px-3 text-12 hover:bg-raised"
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
            className="size-[13px] accent-accent"
          />
          <span className="truncate" title={nameOf(value)}>
            {nameOf(value)}
          </span>
          <span className={cx("text-11 tabular-nums", count === 0 ? "text-fg-3" : "text-fg-2")}>
            {formatCount(count)}
            {growing && "+"}
          </span>
        </label>
      ))}
      {values.length > SHOWN && !all && (
        <button
          type="button"
          className="px-3 text-12 text-accent hover:underline"
          onClick={() => setAll(true)}
        >
          {formatCount(values.length - SHOWN)} more
        </button>
      )}
    </fieldset>
  );
}
