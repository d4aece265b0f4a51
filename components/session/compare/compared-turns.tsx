import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { callNode, type NodeShape, RailNode } from "@/components/thread/rail/rail-node";
import { Icon } from "@/components/ui/icon";
import { LANE_TEXT, LaneShape, laneIndex } from "@/components/ui/marks";
import { Moment } from "@/components/ui/time";
import { formatDuration, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { markdownLine } from "@/lib/markup/parse-markdown";
import { shortToolName, toolNamed } from "@/lib/tools/tools";
import type { ComparedTurn, SideName, TurnPair } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";
import { type Row, rowKindFacts, type ToolRow } from "@/lib/wire/rows";
import type { CompareItem } from "./use-compare";

/** The columns of left, mark and right; where the page is narrow they stand below each other. */
const BESIDE = "grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)] max-sm:grid-cols-[18px_minmax(0,1fr)]";

/** The lines of a comparison, for a list, with each side's rail beside them. `at`: the key of the current one. */
export function CompareLines({
  items,
  lanes,
  at,
  onToggle,
  onOpen,
}: {
  items: readonly CompareItem[];
  lanes: Record<SideName, number>;
  at: string | null;
  onToggle: (turns: TurnPair) => void;
  onOpen: (side: SideName, record: RecordId, block: number) => void;
}) {
  const rails = useMemo(() => railsAt(items), [items]);
  return items.map((item, index) =>
    item.kind === "note" ? (
      <li key={item.key} className="px-3 py-1 text-12 text-fg-3">
        {item.words}
      </li>
    ) : (
      <CompareLine
        key={item.key}
        item={item}
        lanes={lanes}
        rails={rails(index)}
        current={item.key === at}
        onToggle={onToggle}
        onOpen={(side) => {
          const row = item.kind === "rows" ? item.rows[side] : null;
          if (row) onOpen(side, row.recordId, row.block);
        }}
      />
    ),
  );
}

/** A line of the comparison: both sides of a turn's head or of a row, and whether they say the same. */
function CompareLine({
  item,
  lanes,
  rails,
  current,
  onToggle,
  onOpen,
}: {
  item: Exclude<CompareItem, { kind: "note" }>;
  lanes: Record<SideName, number>;
  rails: Record<SideName, Rail>;
  current: boolean;
  onToggle: (turns: TurnPair) => void;
  onOpen: (side: SideName) => void;
}) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) line.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const { left, right } = item.kind === "turns" ? item.turns : item.rows;
  const isHead = item.kind === "turns";
  const mark = left && right ? (item.differs ? "≠" : "=") : "";
  const words = !left ? "only right" : !right ? "only left" : item.differs ? "differs" : "the same";
  return (
    <li
      ref={line}
      aria-current={current ? "true" : undefined}
      data-compare={item.kind}
      className={clsx(
        BESIDE,
        "relative scroll-my-8 break-inside-avoid",
        // What marks on the rail stand on.
        current
          ? "bg-sel shadow-[inset_2px_0_0_var(--accent)] [--ground:var(--sel)]"
          : "[--ground:var(--bg)]",
      )}
    >
      {(["left", "right"] as const).map((side) => {
        const of = side === "left" ? left : right;
        return (
          <div key={side} className="contents">
            {side === "right" && (
              <span
                className={clsx(
                  "flex justify-center border-x border-line bg-panel font-mono text-12 max-sm:hidden",
                  isHead ? "items-center border-t border-t-line-2" : "items-start pt-0.5",
                  item.differs ? "text-fg-2" : "text-fg-3",
                )}
              >
                <span aria-hidden="true">{mark}</span>
                <span className="sr-only">{words}</span>
              </span>
            )}
            {of && (
              <span className={clsx("flex items-start justify-center pt-2 sm:hidden", isHead && "pt-[11px]")}>
                <LaneShape lane={lanes[side]} />
              </span>
            )}
            {item.kind === "turns" ? (
              <TurnHead
                turn={item.turns[side]}
                rail={{ lane: lanes[side], runs: rails[side] }}
                begun={item.turns.begun}
                open={item.open}
                onToggle={() => onToggle(item.turns)}
              />
            ) : (
              <RowCell
                row={item.rows[side]}
                rail={{ lane: lanes[side], runs: rails[side] }}
                onOpen={() => onOpen(side)}
              />
            )}
          </div>
        );
      })}
    </li>
  );
}

/** The head of a turn on one side; hatched where there is none. */
function TurnHead({
  turn,
  rail,
  begun,
  open,
  onToggle,
}: {
  turn: ComparedTurn | null;
  rail: SideRailOf;
  begun: boolean;
  open: boolean;
  onToggle: () => void;
}) {
  if (!turn) return <Missing rail={rail} className="border-t border-line-2" />;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="flex h-8 min-w-0 items-center gap-2 border-t border-line-2 bg-panel pr-2 text-left tabular-nums hover:bg-raised max-sm:pl-2"
    >
      <span className={clsx(RAIL, "flex items-center justify-center self-stretch max-sm:contents")}>
        <RailLine rail={rail} />
        <span className="relative flex h-[17px] min-w-6 flex-none items-center justify-center rounded-1 bg-fg px-1 text-11 font-semibold text-bg">
          {turn.turn}
        </span>
      </span>
      <Icon of={open ? ChevronDown : ChevronRight} small className="flex-none text-fg-3" />
      <span className="min-w-0 flex-1 truncate font-semibold">
        <VisibleText text={turn.prompt} />
        {begun && <span className="ml-2 text-11 font-normal text-fg-3">begun on the stem</span>}
      </span>
      <span className="flex flex-none items-center gap-2 text-12 text-fg-2">
        {turn.atMs !== null && <Moment atMs={turn.atMs} className="text-fg-3 max-lg:hidden" />}
        {turn.toolCalls > 0 && <span className="max-md:hidden">{formatPlural(turn.toolCalls, "tool")}</span>}
        <ChangedLines added={turn.added} removed={turn.removed} />
        {turn.durationMs !== null && (
          <span className="min-w-12 text-right max-lg:hidden">{formatDuration(turn.durationMs)}</span>
        )}
      </span>
    </button>
  );
}

/** More of an answer than two lines show. */
const PROSE_UNITS = 400;

/** A row of one side in one line; hatched where the other has none beside it. */
function RowCell({ row, rail, onOpen }: { row: Row | null; rail: SideRailOf; onOpen: () => void }) {
  if (!row) return <Missing rail={rail} />;
  const isProse = row.kind === "text";
  // What an event is called is a sentence, which says more than what stands in it.
  const isSentence = row.kind === "event" || row.kind === "context";
  return (
    <button
      type="button"
      title="Open in the thread"
      onClick={onOpen}
      className="grid min-h-6 min-w-0 grid-cols-[32px_minmax(0,calc(84px*var(--u)))_minmax(96px,1fr)_minmax(0,auto)] items-center gap-x-2 pr-3 text-left hover:bg-raised max-sm:grid-cols-[minmax(0,calc(76px*var(--u)))_minmax(96px,1fr)_minmax(0,auto)] max-sm:px-1"
    >
      <span className={clsx(RAIL, "self-stretch max-sm:hidden")}>
        <RailLine rail={rail} />
        <span className="absolute inset-0">
          <RailNode node={nodeOf(row)} placed={false} />
        </span>
      </span>
      {isProse ? (
        <span className="col-span-3 my-0.5 line-clamp-2 pointer-coarse:line-clamp-none">
          <VisibleText text={markdownLine(textStart(row.text.text, PROSE_UNITS))} />
        </span>
      ) : (
        <>
          {isSentence ? (
            <span className="col-span-2 flex min-w-0 gap-2">
              <span className="max-w-full flex-none truncate text-fg-2">
                <VisibleText text={nameOf(row)} />
              </span>
              <Subject row={row} className="text-fg-3" />
            </span>
          ) : (
            <>
              <span className={clsx("truncate", row.kind === "tool" ? "font-semibold" : "text-fg-2")}>
                <VisibleText text={nameOf(row)} />
              </span>
              <Subject row={row} className={isCode(row) ? "font-mono text-code" : "text-fg-2"} />
            </>
          )}
          <span className="flex max-w-52 min-w-0 items-center justify-end gap-2 text-12 tabular-nums xl:max-w-80">
            {row.kind === "tool" && <Outcome row={row} />}
            {row.span && row.span.toMs > row.span.fromMs && (
              <span className="min-w-12 text-right text-fg-3 max-lg:hidden">
                {formatDuration(row.span.toMs - row.span.fromMs)}
              </span>
            )}
          </span>
        </>
      )}
    </button>
  );
}

/** What a row is about, cut where there is no more room. */
function Subject({ row, className }: { row: Row; className: string }) {
  return (
    <span className={clsx("min-w-0 truncate", className)}>
      <VisibleText text={textStart(stripAnsi(subjectOf(row)), 300)} />
    </span>
  );
}

/** How far a side's line reaches at a row of the list: through it, down to its mark where the side ends, or not at all. */
type Rail = "through" | "end" | "none";

/** The rails beside each item of a list, by its index: a side's goes down to the last item that it has. */
function railsAt(items: readonly CompareItem[]): (index: number) => Record<SideName, Rail> {
  const sidesOf = (item: CompareItem) =>
    item.kind === "note" ? null : item.kind === "turns" ? item.turns : item.rows;
  const last = {
    left: items.findLastIndex((item) => sidesOf(item)?.left != null),
    right: items.findLastIndex((item) => sidesOf(item)?.right != null),
  };
  const rail = (index: number, end: number): Rail =>
    index < end ? "through" : index === end ? "end" : "none";
  return (index) => ({ left: rail(index, last.left), right: rail(index, last.right) });
}

type SideRailOf = { lane: number; runs: Rail };

/** The room of a rail, and of the marks on it. */
const RAIL = "relative w-8 flex-none [--row:24px] [--spine-x:16px]";

/** The line of a side beside its rows, in its lane's colour. */
function RailLine({ rail: { lane, runs } }: { rail: SideRailOf }) {
  if (runs === "none") return null;
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "absolute left-[15px] w-0.5 bg-current max-sm:hidden",
        runs === "through" ? "inset-y-0" : "top-0 h-3",
        LANE_TEXT[laneIndex(lane)],
      )}
    />
  );
}

/** Where a side has nothing beside the other; its line goes on to what comes below. */
function Missing({ rail, className }: { rail: SideRailOf; className?: string }) {
  return (
    <span className={clsx("flex max-sm:hidden", className)}>
      <span className={RAIL}>
        <RailLine rail={rail} />
      </span>
      <span className="hatch flex-1" />
    </span>
  );
}

/** What stands on the rail beside a row. */
function nodeOf(row: Row): NodeShape {
  switch (row.kind) {
    case "tool":
      return callNode(row);
    case "text":
    case "thinking":
    case "fork":
    case "run":
    case "unreadable":
    case "unknown":
      return { shape: row.kind };
    case "agent-return":
      return { shape: row.kind, lane: row.lane };
    default:
      return { shape: "hook" };
  }
}

function Outcome({ row: { state, result, added, removed } }: { row: ToolRow }) {
  const words = result ?? (state === "ok" ? null : state.replace("-", " "));
  const isErr = state === "error" || state === "timed-out";
  return (
    <>
      {words !== null && (
        <span
          className={clsx("truncate", isErr ? "text-err" : state === "denied" ? "text-warn" : "text-fg-2")}
        >
          <VisibleText text={stripAnsi(words)} />
        </span>
      )}
      <ChangedLines added={added} removed={removed} />
    </>
  );
}

/** Whether what a row is about is code or a path, not words. */
function isCode(row: Row): boolean {
  return row.kind === "tool" && row.agent === null && toolNamed(row.name)?.prose !== true;
}

function nameOf(row: Row): string {
  if (row.kind === "tool") return row.server ?? shortToolName(row.name);
  if (row.kind === "event" || row.kind === "context") return row.label;
  return rowKindFacts(row.kind).name;
}

function subjectOf(row: Row): string {
  switch (row.kind) {
    case "tool":
      return [row.server && row.name, row.subject, row.aside].filter(Boolean).join(" ");
    case "compaction":
      return row.summary?.text ?? "";
    case "bookkeeping":
      return row.text;
    default:
      return "text" in row ? row.text.text : "";
  }
}
