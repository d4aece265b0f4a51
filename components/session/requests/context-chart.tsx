import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import {
  formatClockSeconds,
  formatCompact,
  formatCount,
  formatModel,
  formatPercent,
} from "@/lib/format/format";
import type { SessionRequest } from "@/lib/wire/session-requests";
import {
  axisTop,
  causeName,
  fillWords,
  partSeries,
  type RequestBar,
  requestBars,
  type Series,
  sentTokens,
} from "./request-series";

const HEIGHT = 248;
const AXIS = 44;
const HEAD = 16;
const FOOT = 18;
const PLOT = HEIGHT - HEAD - FOOT;
/** Narrower bars can't be told apart, or pointed at. */
const MIN_SLOT = 4;
const MAX_BAR = 32;
const LABEL_WIDTH = 64;

/** Which requests of the thread are drawn. */
type Span = { from: number; to: number };

/**
 * What fills the window, request by request. One bar is in the tab order; arrow keys go from bar to bar, Page Up and
 * Page Down to the next one with a mark. Where there are more requests than bars, a bar opens what it stands for.
 */
export function ContextChart({
  requests,
  onGo,
}: {
  requests: readonly SessionRequest[];
  /** A request was clicked, or Enter pressed on it. */
  onGo: (request: SessionRequest) => void;
}) {
  const [frame, width] = useWidth();
  const [span, setSpan] = useState<Span | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [focusable, setFocusable] = useState(0);
  const group = useRef<SVGSVGElement>(null);
  const { from, to } = span ?? { from: 0, to: requests.length };
  const bars = requestBars(
    requests,
    from,
    Math.min(to, requests.length),
    Math.floor((width - AXIS) / MIN_SLOT),
  );
  const series = useMemo(() => partSeries(requests), [requests]);
  const pointed = at === null ? null : (bars[at] ?? null);
  const top = useMemo(() => axisTop(requests), [requests]);
  const y = (value: number) => HEAD + PLOT - (value / top) * PLOT;
  const slot = (width - AXIS) / Math.max(1, bars.length);
  const choose = (bar: RequestBar) => {
    if (bar.to - bar.from === 1) return onGo(bar.request);
    setSpan({ from: bar.from, to: bar.to });
    setFocusable(0);
    setAt(null);
    requestAnimationFrame(() => group.current?.querySelector<SVGGElement>("[data-bar]")?.focus());
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    if (event.key === "Escape" && span) {
      event.stopPropagation();
      setSpan(null);
      setFocusable(0);
    } else if (event.key === "Enter" || event.key === " ") choose(bars[index] as RequestBar);
    else {
      const next = stepTo(event.key, index, bars);
      if (next === undefined) return;
      setFocusable(next);
      group.current?.querySelectorAll<SVGGElement>("[data-bar]")[next]?.focus();
    }
    event.preventDefault();
  };
  return (
    <figure className="px-3 pt-2" onMouseLeave={() => setAt(null)}>
      <Caption
        requests={requests}
        bar={pointed}
        span={span}
        series={series}
        onWhole={() => {
          setSpan(null);
          setFocusable(0);
        }}
      />
      <div ref={frame} className="min-w-0">
        {width > 0 && (
          <svg
            ref={group}
            width={width}
            height={HEIGHT}
            role="group"
            aria-label="Context by request"
            className="block overflow-visible text-fg-3"
          >
            <Axis top={top} width={width} y={y} requests={requests} />
            {bars.map((bar, index) => (
              <Bar
                key={bar.from}
                bar={bar}
                x={AXIS + index * slot}
                slot={slot}
                y={y}
                series={series}
                isPointed={index === at}
                isFocusable={index === Math.min(focusable, bars.length - 1)}
                onPoint={() => setAt(index)}
                onLeave={() => setAt(null)}
                onChoose={() => choose(bar)}
                onKey={(event) => onKey(event, index)}
              />
            ))}
            <line x1={AXIS} x2={width} y1={y(0)} y2={y(0)} stroke="var(--line-2)" aria-hidden="true" />
            <TimeLabels bars={bars} slot={slot} />
          </svg>
        )}
      </div>
    </figure>
  );
}

/** Where a key leads from a bar. */
function stepTo(key: string, from: number, bars: readonly RequestBar[]): number | undefined {
  const marked = ({ misses, compacted }: RequestBar) => misses > 0 || compacted;
  const next = bars.findIndex((bar, index) => index > from && marked(bar));
  const before = bars.findLastIndex((bar, index) => index < from && marked(bar));
  const steps: Record<string, number> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    Home: 0,
    End: bars.length - 1,
    PageDown: next,
    PageUp: before,
  };
  const to = steps[key];
  return to !== undefined && bars[to] ? to : undefined;
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
      {ticksUpTo(top).map((tick) => (
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
  series,
  isPointed,
  isFocusable,
  onPoint,
  onLeave,
  onChoose,
  onKey,
}: {
  bar: RequestBar;
  x: number;
  slot: number;
  y: (value: number) => number;
  series: readonly Series[];
  isPointed: boolean;
  isFocusable: boolean;
  onPoint: () => void;
  onLeave: () => void;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const width = Math.max(1, Math.min(MAX_BAR, slot - (slot > 6 ? 2 : 1)));
  const left = x + (slot - width) / 2;
  const middle = x + slot / 2;
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button inside of a drawing
    <g
      data-bar={bar.from}
      role="button"
      tabIndex={isFocusable ? 0 : -1}
      aria-label={barWords(bar)}
      className="group cursor-pointer outline-none"
      onMouseEnter={onPoint}
      onFocus={onPoint}
      onBlur={onLeave}
      onClick={onChoose}
      onKeyDown={onKey}
    >
      <rect
        x={x}
        y={HEAD - 12}
        width={slot}
        height={PLOT + 12}
        className="fill-transparent stroke-transparent group-focus-visible:stroke-accent"
        strokeWidth={2}
        style={isPointed ? { fill: "var(--raised)" } : undefined}
      />
      {stackOf(bar.request, series).map(({ key, color, from, to }) => (
        <rect
          key={key}
          x={left}
          width={width}
          y={y(to)}
          height={Math.max(0.5, y(from) - y(to))}
          fill={color}
        />
      ))}
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

/** The parts of a request from the bottom up, each from where the one below it ends. */
function stackOf(request: SessionRequest, series: readonly Series[]) {
  const stack: { key: string; color: string; from: number; to: number }[] = [];
  for (const { key, color, of } of series) {
    const from = stack.at(-1)?.to ?? 0;
    const tokens = of(request);
    if (tokens > 0) stack.push({ key, color, from, to: from + tokens });
  }
  return stack;
}

/** What the bar that is pointed at holds; else the fullest. */
function Caption({
  requests,
  bar,
  span,
  series,
  onWhole,
}: {
  requests: readonly SessionRequest[];
  bar: RequestBar | null;
  span: Span | null;
  series: readonly Series[];
  onWhole: () => void;
}) {
  const fullest = requests.reduce((most, one) => (sentTokens(one) > sentTokens(most) ? one : most));
  const shown = bar?.request ?? fullest;
  const total = Math.max(1, sentTokens(shown));
  return (
    <figcaption className="text-12 tabular-nums">
      <span className="flex min-h-6 flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">
          {bar ? placeWords(bar) : `Fullest: request ${formatCount(requests.indexOf(fullest) + 1)}`}
        </span>
        <span className="text-fg-2">{factWords(shown)}</span>
        {bar && bar.misses > 0 && <span className="text-warn">{missWords(bar)}</span>}
        {bar?.compacted && <span className="text-fg-2">after a compaction</span>}
        {span && (
          <button type="button" className="ml-auto text-accent hover:underline" onClick={onWhole}>
            Requests {formatCount(span.from + 1)} to {formatCount(span.to)}: show all
          </button>
        )}
      </span>
      <span className="mb-1 flex min-h-9 flex-wrap content-start gap-x-4 text-fg-2 max-sm:min-h-22">
        {series.map(({ key, name, color, of }) => (
          <span key={key} className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
            <span
              aria-hidden="true"
              className="size-2 self-center rounded-[1px]"
              style={{ background: color }}
            />
            {name} <span className="text-fg">≈{formatCompact(of(shown))}</span>
            <span className="text-fg-3">{formatPercent(of(shown) / total)}</span>
          </span>
        ))}
      </span>
    </figcaption>
  );
}

function placeWords({ from, to, shown }: RequestBar): string {
  return to - from === 1
    ? `Request ${formatCount(from + 1)}`
    : `Requests ${formatCount(from + 1)} to ${formatCount(to)}, fullest ${formatCount(shown + 1)}`;
}

function factWords(request: SessionRequest): string {
  return [
    fillWords(request),
    request.atMs === null ? null : formatClockSeconds(request.atMs),
    formatModel(request.model),
  ]
    .filter(Boolean)
    .join(" · ");
}

function missWords({ misses, request }: RequestBar): string {
  if (misses > 1) return `${formatCount(misses)} missed the cache`;
  return request.miss
    ? `missed the cache: ${causeName(request.miss.cause).toLowerCase()}`
    : "one missed the cache";
}

function barWords(bar: RequestBar): string {
  return [
    placeWords(bar),
    factWords(bar.request),
    bar.compacted ? "after a compaction" : null,
    bar.misses > 0 ? missWords(bar) : null,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Times below the bars, as many as have room. */
function TimeLabels({ bars, slot }: { bars: readonly RequestBar[]; slot: number }) {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(1, slot)));
  return bars.map(({ request, from }, index) =>
    index % every === 0 && request.atMs !== null ? (
      <text
        key={from}
        x={AXIS + index * slot}
        y={HEIGHT - 4}
        fontSize={11}
        fill="currentColor"
        aria-hidden="true"
      >
        {formatClockSeconds(request.atMs)}
      </text>
    ) : null,
  );
}

/** Round values from 0 up, below the top. */
function ticksUpTo(top: number): number[] {
  const raw = top / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.99) ?? raw;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, at) => at * step);
}

/** The width of an element, in whole pixels; 0 until it is known. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
