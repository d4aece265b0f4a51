import { VisibleText } from "@/components/content/text/visible-text";
import { axisTicks, useWidth } from "@/components/ui/chart";
import { useChartBars } from "@/components/ui/chart-bars";
import { useKeptFocus } from "@/components/ui/main-focus";
import { formatCompact, formatCost, formatDollars, formatShortDate } from "@/lib/format/format";
import { usageTokens } from "@/lib/wire/usage";
import { type Bar, dateOf, type Measure, type UsageChart, type UsageSeries } from "./usage-series";

const HEIGHT = 168;
const AXIS = 48;
const FOOT = 20;
const PLOT = HEIGHT - FOOT - 8;
const WIDEST = 40;

/**
 * Usage over time. One bar is in the tab order; arrow keys move from bar to bar, and the line above the bars describes
 * the current one.
 */
export function UsageBars({
  chart,
  measure,
  onChoose,
}: {
  chart: UsageChart;
  measure: Measure;
  /** A bar was clicked, or Enter pressed on it. */
  onChoose: (bar: Bar) => void;
}) {
  const { bars, series, most } = chart;
  const [frame, width] = useWidth();
  const { group, at, pointAtNone, barProps } = useChartBars(bars, { onChoose });
  // A bar that was chosen is none of those of its day.
  useKeptFocus(bars.map(({ key }) => key).join());
  const pointed = at === null ? null : (bars[at] ?? null);
  const ticks = axisTicks(most, "reaching");
  const top = ticks.at(-1) ?? 1;
  const slot = (width - AXIS) / Math.max(1, bars.length);
  const bar = Math.max(1, Math.min(WIDEST, slot - (slot > 6 ? 2 : slot > 3 ? 1 : 0)));
  const y = (value: number) => 8 + PLOT - (value / top) * PLOT;
  return (
    <figure className="border-b border-line px-3 pt-2 pb-1" onMouseLeave={pointAtNone}>
      <Caption chart={chart} measure={measure} pointed={pointed} />
      {/* As high before its width is known, so that the content below does not move. */}
      <div ref={frame} className="min-w-0" style={{ minHeight: HEIGHT }}>
        {width > 0 && (
          <svg
            ref={group}
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="group"
            aria-label={`${measure === "cost" ? "Cost" : "Tokens"} by ${chart.step}`}
            className="block touch-pan-y overflow-visible text-fg-3 print:h-auto print:w-full"
          >
            <Ticks ticks={ticks} y={y} width={width} measure={measure} />
            {bars.map((one, index) => {
              return (
                <g
                  key={one.key}
                  data-bar={one.key}
                  {...barProps(index)}
                  aria-label={`${one.label}: ${wordsOf(one)}`}
                  className="group cursor-pointer outline-none"
                >
                  <rect
                    x={AXIS + index * slot}
                    y={4}
                    width={slot}
                    height={PLOT + 4}
                    className="fill-transparent stroke-transparent group-focus-visible:stroke-accent"
                    strokeWidth={2}
                    style={at === index ? { fill: "var(--raised)" } : undefined}
                  />
                  <StackedParts
                    parts={one.parts}
                    series={series}
                    x={AXIS + index * slot + (slot - bar) / 2}
                    width={bar}
                    y={y}
                  />
                </g>
              );
            })}
            <line x1={AXIS} x2={width} y1={y(0)} y2={y(0)} stroke="var(--line-2)" aria-hidden="true" />
            <DateLabels chart={chart} slot={slot} />
          </svg>
        )}
      </div>
    </figure>
  );
}

/** What the bars show, or the one that is pointed at: its time, each series, and the sums. */
function Caption({ chart, measure, pointed }: { chart: UsageChart; measure: Measure; pointed: Bar | null }) {
  const format = formatOf(measure);
  return (
    <figcaption className="flex min-h-5 flex-wrap items-baseline gap-x-4 text-12 tabular-nums max-sm:min-h-10">
      <span className="font-semibold">{pointed ? pointed.label : captionOf(chart, measure)}</span>
      {chart.series.map(({ name, color, total }, index) => (
        <span key={name} className="inline-flex items-baseline gap-1.5 whitespace-nowrap text-fg-2">
          <span
            aria-hidden="true"
            className="own-colour size-2 self-center rounded-[1px]"
            style={{ background: color }}
          />
          <VisibleText text={name} />{" "}
          <span className="text-fg">{format(pointed ? (pointed.parts[index] ?? 0) : total)}</span>
        </span>
      ))}
      {pointed && <span className="ml-auto text-fg-2">{wordsOf(pointed)}</span>}
      {pointed && (
        <span className="hidden text-fg-3 pointer-coarse:inline print:hidden!">Tap it again to open it</span>
      )}
    </figcaption>
  );
}

/** The lines of the scale with their values. `y`: where a value is on the chart. */
function Ticks({
  ticks,
  y,
  width,
  measure,
}: {
  ticks: readonly number[];
  y: (value: number) => number;
  width: number;
  measure: Measure;
}) {
  const format = formatOf(measure);
  return ticks.map((tick) => (
    <g key={tick} aria-hidden="true">
      <line x1={AXIS} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
      <text x={AXIS - 6} y={y(tick) + 4} textAnchor="end" fontSize={11} fill="currentColor">
        {format(tick).replace(/\.00$/, "")}
      </text>
    </g>
  ));
}

/** Dates below the bars, each of which takes `slot` pixels. */
function DateLabels({ chart: { bars, step }, slot }: { chart: UsageChart; slot: number }) {
  return labelsOf(bars, slot, step).map(({ index, text }) => (
    <text
      key={index}
      x={AXIS + index * slot + slot / 2}
      y={HEIGHT - 4}
      textAnchor="middle"
      fontSize={11}
      fill="currentColor"
      aria-hidden="true"
    >
      {text}
    </text>
  ));
}

function formatOf(measure: Measure): (value: number) => string {
  return measure === "cost" ? formatDollars : formatCompact;
}

/** A bar's parts, one above the other; `y`: where a value is on the chart. */
function StackedParts({
  parts,
  series,
  x,
  width,
  y,
}: {
  parts: readonly number[];
  series: readonly UsageSeries[];
  x: number;
  width: number;
  y: (value: number) => number;
}) {
  let below = 0;
  return parts.map((part, nth) => {
    const from = below;
    below += part;
    return part > 0 ? (
      <rect
        key={series[nth]?.name}
        x={x}
        width={width}
        y={y(below)}
        height={Math.max(0.75, y(from) - y(below))}
        fill={series[nth]?.color}
      />
    ) : null;
  });
}

function captionOf({ step, bars }: UsageChart, measure: Measure): string {
  const what = measure === "cost" ? "Cost" : "Tokens";
  const years = new Set(bars.map(({ from }) => from.slice(0, 4)));
  return `${what} a ${step}${years.size === 1 ? `, ${[...years].join()}` : ""}`;
}

function wordsOf({ row }: Bar): string {
  if (row.requests === 0) return "nothing";
  const cost = formatCost(row.costMicroUsd, row.unpricedTokens);
  return `${cost} · ${formatCompact(usageTokens(row))} tok · ${formatCompact(row.requests)} ${row.requests === 1 ? "request" : "requests"}`;
}

const LABEL_WIDTH = 52;
const SHORT_MONTH = new Intl.DateTimeFormat("en", { month: "short", year: "2-digit" });

/** Dates below the bars, as many as fit. */
function labelsOf(bars: readonly Bar[], slot: number, step: UsageChart["step"]) {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  const name = (date: Date) =>
    step === "month" ? SHORT_MONTH.format(date) : formatShortDate(date.getTime());
  return bars.flatMap(({ from }, index) =>
    index % every === 0 ? [{ index, text: name(dateOf(from)) }] : [],
  );
}
