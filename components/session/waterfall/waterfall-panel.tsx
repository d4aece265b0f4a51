import { clsx } from "clsx";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { LaneShape } from "@/components/ui/marks";
import type { TimeRange } from "@/lib/client/address/session-url";
import { formatCount, formatDuration, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import type { Span } from "@/lib/wire/spans";
import { formatTimes, isAboutCode, type RowTexts, spanTitle } from "./row-words";
import { type TimeTotals, toolLines } from "./waterfall-model";

const KINDS: [kind: keyof TimeTotals["byKind"], label: string, bar: string][] = [
  ["tool", "Tools", "bg-fg-2"],
  ["model", "Model", "bg-line-3"],
  ["agent", "Agents", "bg-lane-2"],
  ["permission", "Permission", "bg-warn"],
  ["human", "User", "border border-warn"],
  ["idle", "Idle", "border-t border-dotted border-fg-3 h-0!"],
];

/** Beside the chart: where the time of all, or of what is selected, went, and its slowest steps. */
export function WaterfallPanel({
  totals,
  part,
  slowest,
  texts,
  selected,
  flawed,
  onSelect,
  className,
}: {
  totals: TimeTotals;
  /** The part of the time that is selected, of which all else is; `null` for the whole. */
  part: SelectedTime | null;
  slowest: readonly Span[];
  texts: RowTexts;
  /** Id of the selected span. */
  selected: string | null;
  flawed: number;
  onSelect: (span: Span) => void;
  className?: string;
}) {
  return (
    <aside
      aria-label="Where the time went"
      className={clsx(
        "min-h-0 overflow-y-auto border-l border-line-2 bg-panel text-12 max-md:border-l-0",
        className,
      )}
    >
      <h3 className="flex h-tool items-center border-b border-line px-3 font-semibold">
        Where {formatDuration(totals.wholeMs)} went
      </h3>
      {part && <SelectedTimeBar {...part} />}
      <KindBars byKind={totals.byKind} />
      <PathNotes totals={totals} flawed={flawed} />
      <Heading>Slowest{part ? " in this part" : ""}</Heading>
      <SlowestSteps spans={slowest} texts={texts} selected={selected} onSelect={onSelect} />
      {totals.tools.length > 0 && (
        <>
          <Heading>Tools, {formatPlural(totals.calls, "call")}</Heading>
          <ToolTimes totals={totals} />
        </>
      )}
      <Heading>Reading it</Heading>
      <Legend />
    </aside>
  );
}

/** The part of the time that is selected, and what can be done with it. */
type SelectedTime = {
  range: TimeRange;
  /** How many turns it has, of how many. */
  turns: { shown: number; all: number };
  onClear: () => void;
  onChanges: () => void;
  /** Leads to the part's first row; `null` where it has none. */
  onThread: (() => void) | null;
  onZoom: () => void;
};

function SelectedTimeBar({ range, turns, onClear, onChanges, onThread, onZoom }: SelectedTime) {
  return (
    <div className="border-b border-line py-1 pr-2 pl-3 text-fg-2 tabular-nums">
      <p className="flex items-center gap-1">
        <span className="min-w-0 flex-1">{formatTimes(range)}</span>
        <Button kind="quiet" title="Show it alone (z)" onClick={onZoom}>
          Zoom
        </Button>
        <Button kind="quiet" title="The whole session again (Esc)" onClick={onClear}>
          Clear
        </Button>
      </p>
      <p className="flex items-center gap-1">
        <span className="min-w-0 flex-1">
          {formatCount(turns.shown)} of {formatPlural(turns.all, "turn")}
        </span>
        {onThread && (
          <Button kind="quiet" title="The first row of this part, in the thread" onClick={onThread}>
            Thread
          </Button>
        )}
        <Button kind="quiet" title="What this part of the session changed (D)" onClick={onChanges}>
          Changes
        </Button>
      </p>
      <p className="pb-0.5 text-11">
        Outline, changes and find show this part alone; the thread marks its rows.
      </p>
    </div>
  );
}

/** The time of each kind as a bar, beside the longest. */
function KindBars({ byKind }: Pick<TimeTotals, "byKind">) {
  const most = Math.max(1, ...Object.values(byKind));
  return (
    <dl className="py-2">
      {KINDS.map(([kind, label, look]) => {
        const ms = byKind[kind];
        if (ms === 0 && kind !== "tool" && kind !== "model") return null;
        return (
          <div key={kind} className="grid h-6 grid-cols-[84px_minmax(0,1fr)_auto] items-center gap-2 px-3">
            <dt className="text-fg-2">{label}</dt>
            <dd aria-hidden="true" className="flex items-center">
              <span className={clsx("h-2 min-w-px", look)} style={{ width: `${(ms / most) * 100}%` }} />
            </dd>
            <dd className="text-right tabular-nums">{formatDuration(ms)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Times are shown in whole seconds, mostly. */
const SEEN_MS = 1_000;

/** The critical path, and what is to be known of the times. `flawed`: steps whose times the log has wrong. */
function PathNotes({ totals, flawed }: { totals: TimeTotals; flawed: number }) {
  const togetherMs = Object.values(totals.byKind).reduce((sum, ms) => sum + ms, 0);
  return (
    <div className="border-t border-line px-3 py-2 text-fg-2">
      {togetherMs - totals.wholeMs >= SEEN_MS && (
        <p className="mb-1">These add up to more: what went on at the same time counts in each.</p>
      )}
      <p>
        <span className="font-semibold text-fg">Critical path</span>{" "}
        <span className="tabular-nums">{formatDuration(totals.criticalMs)}</span>
      </p>
      {totals.typingMs > 0 && (
        <p className="mt-1">It also waited {formatDuration(totals.typingMs)} for the user to type.</p>
      )}
      {totals.boundMs > 0 && (
        <p className="mt-1">
          Up to {formatDuration(totals.boundMs)} of the tools’ time may be waiting for permission.
        </p>
      )}
      {flawed > 0 && (
        <p className="mt-1">
          {formatPlural(flawed, "step has", "steps have")} a time that is missing or out of order.
        </p>
      )}
    </div>
  );
}

function SlowestSteps({
  spans,
  texts,
  selected,
  onSelect,
}: {
  spans: readonly Span[];
  texts: RowTexts;
  selected: string | null;
  onSelect: (span: Span) => void;
}) {
  return (
    <ol aria-label="Slowest steps" className="py-1">
      {spans.map((span) => (
        <li key={span.id}>
          <button
            type="button"
            aria-current={span.id === selected || undefined}
            title={labelHidden([spanTitle(span), subjectOf(span, texts)].filter(Boolean).join("\n"))}
            onClick={() => onSelect(span)}
            className="flex h-6 w-full items-center gap-2 px-3 text-left whitespace-nowrap hover:bg-raised aria-[current]:bg-sel"
          >
            {span.kind === "agent" && <LaneShape lane={span.lane ?? 1} />}
            <span className={clsx("truncate", span.kind === "model" ? "text-fg-2" : "font-semibold")}>
              <VisibleText text={shortToolName(spanTitle(span))} />
            </span>
            <span className={clsx("min-w-0 flex-1 truncate text-fg-2", isAboutCode(span) && "font-mono")}>
              <VisibleText text={subjectOf(span, texts)} />
            </span>
            <span className="flex-none tabular-nums">
              {span.exact ? "" : "≤ "}
              {formatDuration(span.endMs - span.startMs)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The calls of each tool, and how long they took. */
function ToolTimes({ totals }: { totals: Pick<TimeTotals, "tools"> }) {
  return (
    <ul aria-label="Tools" className="py-1">
      {toolLines(totals.tools).map(({ name, calls, ms, isRest }) => (
        <li key={name} className={clsx("flex h-6 items-center gap-2 px-3", isRest && "text-fg-2")}>
          <span className="min-w-0 flex-1 truncate">
            <VisibleText text={name} />
          </span>
          <span className="text-fg-2 tabular-nums">{formatCount(calls)} ×</span>
          <span className="w-16 text-right tabular-nums">{formatDuration(ms)}</span>
        </li>
      ))}
    </ul>
  );
}

function subjectOf(span: Span, { subjects }: RowTexts): string {
  const subject = subjects.get(span.id) ?? "";
  return subject === spanTitle(span) ? "" : subject;
}

function Heading({ children }: { children: ReactNode }) {
  return <h4 className="border-t border-line px-3 pt-2 pb-1 font-semibold text-fg-2">{children}</h4>;
}

const SIGNS: [name: string, sign: ReactNode][] = [
  ["tool; edits are amber, failures red", <path key="t" d="M0 1h30v8H0z" className="fill-fg-2" />],
  ["model", <path key="m" d="M0 3h30v4H0z" className="fill-line-3" />],
  ["critical path", <path key="p" d="M0 5h30" className="stroke-accent [stroke-width:1.5]" />],
  [
    "at most this long: the log only bounds it",
    <path key="b" d="M.5 1.5h29v7H.5z" className="fill-fg-2/25 stroke-fg-2" />,
  ],
  [
    "waiting for permission; dashed where it can’t be told apart from the work",
    <path key="w" d="M.5 1.5h29v7H.5zM3 9l7-7M10 9l7-7M17 9l7-7" className="fill-none stroke-warn" />,
  ],
  [
    "waiting for the user, or idle",
    <path key="i" d="M0 5h30" className="stroke-fg-3 [stroke-dasharray:1_3]" />,
  ],
  [
    "stopped",
    <path key="s" d="M.5 1.5h29v7H.5zM28.5 1v8" className="fill-none stroke-fg-2 [stroke-width:1.4]" />,
  ],
  [
    "times missing or out of order",
    <path key="f" d="M.5.5h29v9H.5z" className="fill-none stroke-fg-2 [stroke-dasharray:2_2]" />,
  ],
];

function Legend() {
  return (
    <ul className="grid gap-1.5 px-3 pt-1 pb-3 text-11 text-fg-2">
      {SIGNS.map(([name, sign]) => (
        <li key={name} className="grid grid-cols-[32px_minmax(0,1fr)] gap-2">
          <svg aria-hidden="true" width="30" height="10" viewBox="0 0 30 10" className="mt-[3px]">
            {sign}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
