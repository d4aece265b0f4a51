import { clsx } from "clsx";
import { VisibleText } from "@/components/content/text/visible-text";
import { stateWord } from "@/components/live/live-pill";
import { Link } from "@/components/ui/link";
import { Elapsed } from "@/components/ui/time";
import { formatCompact, formatElapsed, formatPercent } from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import { failedCalls } from "@/lib/wire/library-columns";
import type { NowTile } from "@/lib/wire/live";
import { nowHref, Sign, TONES } from "./tile";
import type { BoardBox } from "./use-board-keys";

const COLUMNS =
  "grid grid-cols-[20px_minmax(0,4fr)_minmax(0,1fr)_calc(168px*var(--u))_minmax(0,4fr)_52px_52px_52px_64px] items-center gap-x-3 px-3 whitespace-nowrap max-lg:grid-cols-[20px_minmax(0,1fr)_calc(168px*var(--u))_52px_64px] max-sm:grid-cols-[20px_minmax(0,1fr)_auto]";

const HEADS: [label: string, className?: string][] = [
  ["Session"],
  ["Project", "max-lg:hidden"],
  ["State"],
  ["Doing", "max-lg:hidden"],
  ["Agents", "text-right max-lg:hidden"],
  ["Context", "text-right"],
  ["Errors", "text-right max-lg:hidden"],
  ["Last line", "text-right"],
];

/** Running sessions as a table, a line each. */
export function NowList({ tiles, at, box }: { tiles: readonly NowTile[]; at: number; box: BoardBox }) {
  return (
    <div {...box} role="table" aria-label="Running sessions" className="min-h-0 flex-1 overflow-auto">
      <div role="rowgroup">
        <div
          role="row"
          className={clsx(COLUMNS, "h-7 border-b border-line-2 text-11 text-fg-3 max-sm:sr-only")}
        >
          <span role="columnheader">
            <span className="sr-only">State</span>
          </span>
          {HEADS.map(([label, className]) => (
            <span key={label} role="columnheader" className={className}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {tiles.map((tile, index) => (
          <NowLine key={tile.summary.id} tile={tile} focused={index === at} />
        ))}
      </div>
    </div>
  );
}

function NowLine({ tile, focused }: { tile: NowTile; focused: boolean }) {
  const { summary, live, agents } = tile;
  const { contextTokens, contextLimit } = live;
  const share = contextTokens !== null && contextLimit ? Math.min(1, contextTokens / contextLimit) : null;
  return (
    <div
      role="row"
      className={clsx(
        COLUMNS,
        // On a narrow page, the state has a line of its own.
        "relative h-8 border-b border-line hover:bg-raised max-sm:h-[52px] max-sm:content-center",
        focused && "sel-bar bg-sel",
      )}
    >
      <span role="cell">
        <Sign live={live} />
      </span>
      <span role="cell" className="truncate">
        <Link
          href={nowHref(tile)}
          data-session-id={summary.id}
          className="font-semibold outline-none before:absolute before:inset-0 before:content-[''] focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-accent"
        >
          <VisibleText text={summary.title} />
        </Link>
      </span>
      <span role="cell" className="truncate text-fg-2 max-lg:hidden" title={labelHidden(tile.project)}>
        <VisibleText text={folderName(tile.project)} />
      </span>
      <span
        role="cell"
        className={clsx("truncate text-12 tabular-nums max-sm:order-1 max-sm:col-start-2", TONES[live.state])}
      >
        {stateWord(live)} <Elapsed sinceMs={live.doing?.sinceMs ?? live.sinceMs} format={formatElapsed} />
      </span>
      <span role="cell" className="truncate text-12 text-fg-2 max-lg:hidden">
        {doingOf(tile)}
      </span>
      <Number value={agents.length} />
      <span
        role="cell"
        className="text-right text-12 text-fg-2 tabular-nums max-sm:order-1"
        title={contextLimit === null ? undefined : `of ${formatCompact(contextLimit)} tokens`}
      >
        {share === null ? "" : formatPercent(share)}
      </span>
      <Number isError value={failedCalls(summary)} />
      <span role="cell" className="text-right text-12 text-fg-3 tabular-nums">
        {live.lastLineAtMs !== null && <Elapsed sinceMs={live.lastLineAtMs} format={formatElapsed} />}
      </span>
    </div>
  );
}

function Number({ value, isError = false }: { value: number | null; isError?: boolean }) {
  return (
    <span
      role="cell"
      className={clsx(
        "text-right text-12 tabular-nums max-lg:hidden",
        isError && value ? "text-err" : "text-fg-2",
      )}
    >
      {value === null ? "" : value === 0 ? <span className="text-fg-3">·</span> : value}
    </span>
  );
}

/** Its question, or else its current call, or else its last text. */
function doingOf({ questions, live, turn }: NowTile): string {
  const [asked] = questions ?? [];
  if (asked) return asked.question;
  const { doing } = live;
  if (doing?.name) return [shortToolName(doing.name), doing.subject].filter(Boolean).join(" ");
  return doing?.subject ?? live.lastText ?? turn?.prompt ?? "";
}
