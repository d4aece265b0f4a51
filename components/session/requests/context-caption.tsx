import {
  formatClockSeconds,
  formatCompact,
  formatCount,
  formatModel,
  formatMoment,
  formatPercent,
} from "@/lib/format/format";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import {
  advisorWords,
  causeName,
  fillWords,
  passWords,
  type RequestBar,
  type RequestSeries,
} from "./request-series";

/** Which requests of the thread are drawn. */
export type ChartSpan = { from: number; to: number };

/** What the bar that is pointed at holds; else the fullest. */
export function ContextCaption({
  requests,
  bar,
  isPointedAt,
  span,
  series,
  onWhole,
}: {
  requests: readonly SessionRequest[];
  bar: RequestBar | null;
  /** By hand; otherwise the bar is that of the request which the address names. */
  isPointedAt: boolean;
  span: ChartSpan | null;
  series: readonly RequestSeries[];
  onWhole: () => void;
}) {
  const fullest = requests.reduce((most, one) => (one.context > most.context ? one : most));
  const shown = bar?.request ?? fullest;
  const total = Math.max(1, shown.context);
  return (
    <figcaption className="text-12 tabular-nums">
      <span className="flex min-h-6 flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">
          {bar ? placeWords(bar) : `Fullest: request ${formatCount(requests.indexOf(fullest) + 1)}`}
        </span>
        <span className="text-fg-2">{factWords(shown)}</span>
        {bar && bar.misses > 0 && <span className="text-warn">{missWords(bar)}</span>}
        {bar?.compacted && <span className="text-fg-2">after a compaction</span>}
        <span className="hidden text-fg-3 pointer-coarse:inline print:hidden!">
          {isPointedAt ? "Tap it again to open it" : "Tap a bar to read it"}
        </span>
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
              className="own-colour size-2 self-center rounded-[1px]"
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
    request.atMs === null ? null : formatMoment(request.atMs, Date.now(), formatClockSeconds),
    formatModel(request.model),
    passWords(request.passes, {
      context: request.context,
      sum: request.input + request.cacheRead + request.cacheWrite5m + request.cacheWrite1h,
      output: request.output,
    }),
    ...advisorWords(request),
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

/** What is said of a bar to who does not see it. */
export function barWords(bar: RequestBar): string {
  return [
    placeWords(bar),
    factWords(bar.request),
    bar.compacted ? "after a compaction" : null,
    bar.misses > 0 ? missWords(bar) : null,
  ]
    .filter(Boolean)
    .join(", ");
}
