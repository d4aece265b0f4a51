import { Minus, Plus } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { formatDuration, formatPlural } from "@/lib/format/format";
import { type AxisKind, MAX_GAP_MS } from "./time-axis";
import type { WaterfallStore } from "./waterfall-store";

const AXES = [
  { value: "active", label: "Active time" },
  { value: "clock", label: "Wall clock" },
] as const;

/** What of the chart is drawn beside calls and agents, and whether the critical path stands out. */
export type Shown = { model: boolean; waiting: boolean; path: boolean };

/** Which of the two is seen where there is room for one alone. */
export type Side = "chart" | "summary";

const SIDES: readonly { value: Side; label: string }[] = [
  { value: "chart", label: "Chart" },
  { value: "summary", label: "Summary" },
];

const TOGGLES: readonly [what: keyof Shown, label: string][] = [
  ["path", "Critical path"],
  ["model", "Model"],
  ["waiting", "Waiting"],
];

/** The axis, what is drawn, and how near; on a narrow page which of chart and summary is seen. */
export function WaterfallTop({
  store,
  axis,
  onAxis,
  side,
  onSide,
  shown,
  onToggle,
  gaps,
  turnsLeftOut,
  onBack,
}: {
  store: WaterfallStore;
  axis: AxisKind;
  onAxis: (axis: AxisKind) => void;
  side: Side;
  onSide: (side: Side) => void;
  shown: Shown;
  onToggle: (what: keyof Shown) => void;
  /** How many gaps the axis leaves out. */
  gaps: number;
  /** How many of the session's first turns are not in the chart. */
  turnsLeftOut: number;
  onBack: () => void;
}) {
  return (
    <div className="col-span-full min-w-0 border-b border-line-2 bg-panel text-12 text-fg-2">
      <div className="flex h-tool items-center gap-2 overflow-hidden px-3 whitespace-nowrap max-sm:h-10">
        <h2 className="sr-only">Waterfall</h2>
        <Segmented label="Axis" choices={AXES} value={axis} onChange={onAxis} className="max-sm:hidden" />
        <Segmented
          label="What is shown"
          choices={SIDES}
          value={side}
          onChange={onSide}
          className="md:hidden"
        />
        <span className="flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none] max-sm:hidden [&>*]:-outline-offset-2!">
          {TOGGLES.map(([what, label]) => (
            <Button key={what} kind="quiet" pressed={shown[what]} onClick={() => onToggle(what)}>
              {label}
            </Button>
          ))}
        </span>
        <span className="flex-1" />
        <span className="truncate text-fg-3 tabular-nums max-lg:hidden">
          {gaps > 0 && `${formatPlural(gaps, "gap")} over ${formatDuration(MAX_GAP_MS)} left out`}
        </span>
        <span className="flex flex-none items-center gap-1">
          <IconButton icon={Minus} small label="Farther" keys="−" onClick={() => store.zoom(1 / 1.5)} />
          <Button kind="quiet" title="Fit all (0)" onClick={store.fit}>
            Fit
          </Button>
          <IconButton icon={Plus} small label="Nearer" keys="+" onClick={() => store.zoom(1.5)} />
        </span>
        <Button onClick={onBack}>
          Back<span className="max-lg:sr-only"> to the thread</span>
        </Button>
      </div>
      {turnsLeftOut > 0 && (
        <p role="note" className="border-t border-line px-3 py-1">
          The {turnsLeftOut === 1 ? "first turn is" : `first ${formatPlural(turnsLeftOut, "turn")} are`} not
          shown: there are more steps than a page can hold. An export as Trace has all of them.
        </p>
      )}
    </div>
  );
}
