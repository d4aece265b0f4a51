import { clsx } from "clsx";
import { useState } from "react";
import { ProjectChoice } from "@/components/library/project-choice";
import { CheckField, Segmented } from "@/components/ui/field";
import type { UsageBy, UsageRow } from "@/lib/wire/usage";
import { shownRange, usageRanges } from "./usage-ranges";
import type { Measure } from "./usage-series";
import { useUsageUrl } from "./usage-url";

const BY: readonly { value: UsageBy; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "project", label: "Project" },
  { value: "model", label: "Model" },
  { value: "branch", label: "Branch" },
  { value: "agent", label: "Agent" },
  { value: "tool", label: "Tool" },
  { value: "session", label: "Session" },
];

const MEASURE_CHOICES: readonly { value: Measure; label: string }[] = [
  { value: "cost", label: "Cost" },
  { value: "tokens", label: "Tokens" },
];

/** The range, the project and the threads, what is counted, and how it is grouped. */
export function UsageToolBar({ days }: { days: readonly UsageRow[] }) {
  const [{ view, by, from, to, project, agents, measure }, setUrl] = useUsageUrl();
  const isSums = view === "sums";
  // Newest first; rows without a time come last.
  const [last, first] = [days[0]?.key ?? "", days.findLast(({ key }) => key !== "")?.key ?? ""];
  const ranges = usageRanges();
  const [chosenLabel, setChosenLabel] = useState<string | null>(null);
  const range = shownRange(ranges, { from, to }, chosenLabel);
  return (
    <div className="flex min-h-tool flex-none flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line-2 bg-panel px-3 py-1 text-12">
      {isSums && (
        <Segmented
          label="By"
          className="max-w-full"
          choices={BY}
          value={by}
          onChange={(value) => void setUrl({ by: value, sort: null, up: null })}
        />
      )}
      <Segmented
        label="Range"
        choices={ranges.map(({ label }) => ({ value: label, label }))}
        value={range?.label ?? ""}
        onChange={(chosen) => {
          const days = ranges.find(({ label }) => label === chosen);
          setChosenLabel(chosen);
          if (days) void setUrl({ from: days.from, to: days.to });
        }}
      />
      <span className="inline-flex items-center gap-1.5 text-fg-3 max-sm:order-2">
        <Day label="From" value={from} usual={first} onChange={(value) => void setUrl({ from: value })} />
        –
        <Day label="To" value={to} usual={last} onChange={(value) => void setUrl({ to: value })} />
      </span>
      <ProjectChoice
        className="w-32 max-sm:order-2"
        project={project}
        onChange={(next) => void setUrl({ project: next })}
      />
      {isSums && (
        <Segmented
          label="Measure"
          className="max-sm:order-1"
          choices={MEASURE_CHOICES}
          value={measure}
          onChange={(value) => void setUrl({ measure: value, sort: null, up: null })}
        />
      )}
      <span className="inline-flex items-center max-sm:order-3" title="Without what agents used">
        <CheckField checked={!agents} onChange={(own) => void setUrl({ agents: !own })}>
          Own only
        </CheckField>
      </span>
    </div>
  );
}

/**
 * A day of the range.
 * @param usual the day shown if none is chosen: the extent of the rows
 */
function Day({
  label,
  value,
  usual,
  onChange,
}: {
  label: string;
  value: string | null;
  usual: string;
  onChange: (day: string | null) => void;
}) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value ?? usual}
      onChange={(event) => onChange(event.target.value || null)}
      className={clsx(
        "h-control w-[calc(116px*var(--u))] rounded-2 border border-line-3 bg-bg px-1.5 text-12 tabular-nums focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent",
        value === null ? "text-fg-3" : "text-fg",
      )}
    />
  );
}
