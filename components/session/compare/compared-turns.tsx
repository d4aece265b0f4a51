import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { formatClock, formatDuration, formatPlural } from "@/lib/format/format";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { shortToolName, toolNamed } from "@/lib/tools/tools";
import type { ComparedTurn } from "@/lib/wire/compare";
import { type Row, rowKindFacts, type ToolRow } from "@/lib/wire/rows";
import type { CompareItem } from "./use-compare";

/** Which of the two a row or turn is of. */
export type SideName = "left" | "right";

/** The columns of left, mark and right; where the page is narrow they stand below each other. */
const BESIDE = "grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)] max-sm:grid-cols-[18px_minmax(0,1fr)]";

/** A line of the comparison: both sides of a turn's head or of a row, and whether they say the same. */
export function CompareLine({
  item,
  lanes,
  current,
  onToggle,
  onOpen,
}: {
  item: Exclude<CompareItem, { kind: "note" }>;
  lanes: Record<SideName, number>;
  current: boolean;
  onToggle: (pair: number) => void;
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
        "relative scroll-my-8",
        current && "bg-sel shadow-[inset_2px_0_0_var(--accent)]",
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
                begun={item.turns.begun}
                open={item.open}
                onToggle={() => onToggle(item.turns.pair)}
              />
            ) : (
              <RowCell row={item.rows[side]} lane={lanes[side]} onOpen={() => onOpen(side)} />
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
  begun,
  open,
  onToggle,
}: {
  turn: ComparedTurn | null;
  begun: boolean;
  open: boolean;
  onToggle: () => void;
}) {
  if (!turn) return <span className="hatch border-t border-line-2 max-sm:hidden" />;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="flex h-8 min-w-0 items-center gap-2 border-t border-line-2 bg-panel px-2 text-left tabular-nums hover:bg-raised"
    >
      <Icon of={open ? ChevronDown : ChevronRight} small className="text-fg-3" />
      <span className="flex h-[17px] min-w-6 flex-none items-center justify-center rounded-1 bg-fg px-1 text-11 font-semibold text-bg">
        {turn.turn}
      </span>
      <span className="min-w-0 flex-1 truncate font-semibold">
        <VisibleText text={turn.prompt} />
        {begun && <span className="ml-2 text-11 font-normal text-fg-3">begun on the stem</span>}
      </span>
      <span className="flex flex-none items-center gap-2 text-12 text-fg-2">
        {turn.atMs !== null && <span className="text-fg-3 max-lg:hidden">{formatClock(turn.atMs)}</span>}
        {turn.toolCalls > 0 && <span className="max-md:hidden">{formatPlural(turn.toolCalls, "tool")}</span>}
        <ChangedLines added={turn.added} removed={turn.removed} />
        {turn.durationMs !== null && (
          <span className="min-w-12 text-right max-lg:hidden">{formatDuration(turn.durationMs)}</span>
        )}
      </span>
    </button>
  );
}

/** A row of one side in one line; hatched where the other has none beside it. */
function RowCell({ row, lane, onOpen }: { row: Row | null; lane: number; onOpen: () => void }) {
  if (!row) return <span className="hatch max-sm:hidden" />;
  const isProse = row.kind === "text";
  return (
    <button
      type="button"
      title="Open in the thread"
      onClick={onOpen}
      className="grid min-h-6 min-w-0 grid-cols-[16px_minmax(0,84px)_minmax(0,1fr)_auto] items-center gap-x-2 px-3 py-0.5 text-left hover:bg-raised max-sm:grid-cols-[minmax(0,72px)_minmax(0,1fr)_auto] max-sm:px-1"
    >
      <span className="flex justify-center max-sm:hidden">
        <LaneShape lane={lane} className="opacity-80" />
      </span>
      {isProse ? (
        <span className="col-span-3 line-clamp-2">
          <VisibleText text={row.text.text.slice(0, 400)} />
        </span>
      ) : (
        <>
          <span className={clsx("truncate", row.kind === "tool" ? "font-semibold" : "text-fg-2")}>
            <VisibleText text={nameOf(row)} />
          </span>
          <span className={clsx("min-w-0 truncate", isCode(row) ? "font-mono text-code" : "text-fg-2")}>
            <VisibleText text={stripAnsi(subjectOf(row)).slice(0, 300)} />
          </span>
          <span className="flex max-w-52 items-center justify-end gap-2 text-12 tabular-nums">
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
