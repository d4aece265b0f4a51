import { type ComponentProps, type RefObject, useMemo, useState } from "react";
import { axisTicks, useWidth } from "@/components/ui/chart";
import { useChartBars } from "@/components/ui/chart-bars";
import { type KeyCommand, useKeys } from "@/lib/client/key-registry";
import { formatCompact } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { barWords, type ChartSpan, ContextCaption } from "./context-caption";
import {
  advisedTokens,
  axisTop,
  barPlaces,
  partSeries,
  type RequestBar,
  type RequestSeries,
  requestBars,
  timeLabels,
} from "./request-series";

const HEIGHT = 248;
const AXIS = 44;
const HEAD = 16;
const FOOT = 18;
const PLOT = HEIGHT - HEAD - FOOT;
/** Narrower bars can't be told apart, or pointed at. */
const MIN_SLOT = 4;
const MAX_BAR = 32;
/** The width of the chart on a sheet, which is laid out by the printer alone: A4 between margins. */
const PAPER_PX = 690;

/**
 * What fills the window, request by request. One bar is in the tab order; arrow keys go from bar to bar, Page Up and
 * Page Down to the next one with a mark. Where there are more requests than bars, a bar opens what it stands for.
 */
export function ContextChart({
  requests,
  total = requests.length,
  named,
  onPaper = false,
  onGo,
}: {
  requests: readonly SessionRequest[];
  /** How many there will be: those that have come are drawn in their places. */
  total?: number;
  /** The request that the address names: the one that is spoken of while none is pointed at. */
  named?: SessionRequest | undefined;
  onPaper?: boolean;
  /** A request was clicked, or Enter pressed on it. */
  onGo: (request: SessionRequest) => void;
}) {
  const [frame, width] = useWidth(onPaper ? PAPER_PX : 0);
  const most = Math.floor((width - AXIS) / MIN_SLOT);
  const { bars, places, span, showAll, namedBar, group, at, enter, pointAtNone, barProps } = useRequestBars(
    requests,
    { total, most, named, onGo },
  );
  useBarKeys(group, enter, onPaper);
  const series = useMemo(() => partSeries(requests), [requests]);
  const pointed = bars[at ?? namedBar] ?? null;
  const top = useMemo(() => axisTop(requests), [requests]);
  const y = (value: number) => HEAD + PLOT - (value / top) * PLOT;
  const slot = (width - AXIS) / Math.max(1, places);
  return (
    <figure className="px-3 pt-2" onMouseLeave={pointAtNone}>
      <ContextCaption
        requests={requests}
        bar={pointed}
        isPointedAt={at !== null}
        span={span}
        series={series}
        onWhole={showAll}
      />
      <div ref={frame} className="min-w-0" style={{ minHeight: HEIGHT }}>
        {width > 0 && (
          <svg
            ref={group}
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="group"
            aria-label="Context by request"
            className="block touch-pan-y overflow-visible text-fg-3 print:h-auto print:w-full"
          >
            <Axis top={top} width={width} y={y} requests={requests} />
            {[...new Set([namedBar, at])].map(
              (index) =>
                index !== null &&
                bars[index] && (
                  <rect
                    key={index}
                    x={AXIS + index * slot}
                    y={HEAD - 12}
                    width={slot}
                    height={PLOT + 12}
                    fill={index === namedBar ? "var(--sel)" : "var(--raised)"}
                    aria-hidden="true"
                  />
                ),
            )}
            {stackPaths(bars, series, slot, y).map(({ key, color, d }) => (
              <path key={key} d={d} fill={color} aria-hidden="true" />
            ))}
            {bars.map((bar, index) => (
              <Bar
                key={bar.from}
                bar={bar}
                x={AXIS + index * slot}
                slot={slot}
                y={y}
                isNamed={index === namedBar}
                props={barProps(index)}
              />
            ))}
            <line x1={AXIS} x2={width} y1={y(0)} y2={y(0)} stroke="var(--line-2)" aria-hidden="true" />
            {timeLabels(bars, slot, width - AXIS).map(({ x, text }) => (
              <text key={x} x={AXIS + x} y={HEIGHT - 4} fontSize={11} fill="currentColor" aria-hidden="true">
                {text}
              </text>
            ))}
          </svg>
        )}
      </div>
    </figure>
  );
}

/**
 * The bars of these requests, or of a part of them that was opened, which is a chart of its own.
 * @param most how many bars there is room for
 */
function useRequestBars(
  requests: readonly SessionRequest[],
  {
    total,
    most,
    named,
    onGo,
  }: {
    total: number;
    most: number;
    named: SessionRequest | undefined;
    onGo: (request: SessionRequest) => void;
  },
) {
  const [span, setSpan] = useState<ChartSpan | null>(null);
  const { from, to } = span ?? { from: 0, to: total };
  const bars = requestBars(requests, from, to, most);
  const showAll = () => {
    // Where the reader was before, not at the first bar or nowhere: the bars of the part are gone.
    const opened = requestBars(requests, 0, total, most).findLastIndex((bar) => bar.from <= from);
    replace(() => setSpan(null), opened);
  };
  const place = named ? requests.indexOf(named) : -1;
  const namedBar = bars.findIndex((bar) => place >= bar.from && place < bar.to);
  const { replace, ...chart } = useChartBars(bars, {
    onChoose: (bar) => {
      if (bar.to - bar.from === 1) onGo(bar.request);
      else replace(() => setSpan({ from: bar.from, to: bar.to }), 0);
    },
    isMarked: ({ misses, compacted }) => misses > 0 || compacted,
    onEscape: span ? showAll : undefined,
    start: Math.max(0, namedBar),
  });
  return {
    ...chart,
    bars,
    /** How many bars there will be. */
    places: barPlaces(from, to, most),
    /** The part that was opened, `null` while all are shown, and what shows all again. */
    span,
    showAll,
    /** The bar of the request that the address names, -1 for none. */
    namedBar,
  };
}

/** The keys that lead to the bars from elsewhere on the page; none on paper. */
function useBarKeys(
  group: RefObject<SVGSVGElement | null>,
  enter: ReturnType<typeof useChartBars>["enter"],
  onPaper: boolean,
): void {
  // What lies below is scrolled by keys of its own.
  const isBelow = () => group.current?.closest('[role="region"]')?.contains(document.activeElement) ?? false;
  const keys: KeyCommand[] = [
    {
      keys: ["ArrowRight", "ArrowLeft"],
      label: "from request to request",
      group: "Move",
      run: () => enter("Arrow"),
    },
    {
      keys: ["PageDown"],
      label: "next miss or compaction",
      group: "Move",
      when: () => !isBelow(),
      run: () => enter("PageDown"),
    },
    {
      keys: ["PageUp"],
      label: "miss or compaction before",
      group: "Move",
      when: () => !isBelow(),
      run: () => enter("PageUp"),
    },
  ];
  useKeys(onPaper ? [] : keys);
}

function Axis({
  top,
  width,
  y,
  requests,
}: {
  top: number;
  width: number;
  y: (value: number) => number;
  requests: readonly SessionRequest[];
}) {
  const windows = new Set(
    requests.flatMap(({ window }) => (window !== null && window <= top ? [window] : [])),
  );
  return (
    <g aria-hidden="true">
      {axisTicks(top, "within").map((tick) => (
        <g key={tick}>
          <line x1={AXIS} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
          <text x={AXIS - 6} y={y(tick) + 4} textAnchor="end" fontSize={11} fill="currentColor">
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {[...windows].map((window) => (
        <g key={window}>
          <line
            x1={AXIS}
            x2={width}
            y1={y(window)}
            y2={y(window)}
            stroke="var(--line-3)"
            strokeDasharray="4 3"
          />
          <text
            x={AXIS + 4}
            y={y(window) + 13}
            fontSize={11}
            fill="var(--fg-2)"
            stroke="var(--bg)"
            strokeWidth={3}
            paintOrder="stroke"
          >
            window {formatCompact(window)}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bar({
  bar,
  x,
  slot,
  y,
  isNamed,
  props,
}: {
  bar: RequestBar;
  x: number;
  slot: number;
  y: (value: number) => number;
  isNamed: boolean;
  /** As `useChartBars` gives them. */
  props: ComponentProps<"g">;
}) {
  const width = barWidth(slot);
  const left = x + (slot - width) / 2;
  const middle = x + slot / 2;
  // Another model, with a window of its own: beside what fills this one's, not on top of it.
  const advised = advisedTokens(bar.request);
  return (
    <g
      data-bar={bar.from}
      data-leads={`bar ${bar.request.recordId}`}
      {...props}
      aria-current={isNamed || undefined}
      aria-label={labelHidden(barWords(bar))}
      className="group cursor-pointer outline-none"
    >
      <rect
        x={x}
        y={HEAD - 12}
        width={slot}
        height={PLOT + 12}
        className="fill-transparent stroke-transparent group-focus-visible:stroke-accent"
        strokeWidth={2}
      />
      {advised > 0 && (
        <rect
          data-advisor=""
          x={left + 0.5}
          width={Math.max(1, width - 1)}
          y={y(advised)}
          height={Math.max(0.5, y(0) - y(advised))}
          fill="none"
          stroke="var(--fg)"
          strokeDasharray="2 2"
        />
      )}
      {bar.compacted && (
        <line x1={x} x2={x} y1={HEAD - 8} y2={HEAD + PLOT} stroke="var(--fg-2)" strokeDasharray="2 2" />
      )}
      {bar.misses > 0 && (
        <path
          d={`M${middle - 4} ${HEAD - 10}h8l-4 7z`}
          fill="var(--warn)"
          stroke="var(--bg)"
          strokeWidth={0.5}
        />
      )}
    </g>
  );
}

function barWidth(slot: number): number {
  return Math.max(1, Math.min(MAX_BAR, slot - (slot > 6 ? 2 : 1)));
}

/**
 * Each part of all bars as one path, from the bottom up, each from where the one below it ends: an element for each part of
 * each bar would be thousands.
 */
function stackPaths(
  bars: readonly RequestBar[],
  series: readonly RequestSeries[],
  slot: number,
  y: (value: number) => number,
): { key: string; color: string; d: string }[] {
  const width = barWidth(slot);
  const ends = bars.map(() => 0);
  return series.map(({ key, color, of }) => {
    const boxes = bars.map(({ request }, index) => {
      const tokens = of(request);
      if (tokens <= 0) return "";
      const from = ends[index] as number;
      ends[index] = from + tokens;
      const left = AXIS + index * slot + (slot - width) / 2;
      const height = Math.max(0.5, y(from) - y(from + tokens));
      return `M${px(left)} ${px(y(from + tokens))}h${px(width)}v${px(height)}h${px(-width)}z`;
    });
    return { key, color, d: boxes.join("") };
  });
}

function px(value: number): number {
  return Math.round(value * 100) / 100;
}
