import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { CodeLine } from "@/components/content/code/code-line";
import { useHighlight } from "@/components/content/code/highlight";
import { languageOfPath } from "@/components/content/code/highlight-job";
import { laneIndex } from "@/components/ui/marks";
import type { BlameRange, FileGap } from "@/lib/wire/files";
import { type BlamedFile, fileItems, shownLines } from "./file-versions";
import { type LaneOf, VersionMark } from "./version-mark";

const LINE_PX = 20;
const GAP_PX = 28;

const BARS = [
  "bg-edit",
  "bg-lane-1",
  "bg-lane-2",
  "bg-lane-3",
  "bg-lane-4",
  "bg-lane-5",
  "bg-lane-6",
  "bg-lane-7",
  "bg-lane-8",
] as const;

/**
 * A file with its line numbers, and in the margin who wrote its lines. Only the lines in view are drawn, and not again
 * while a reader passes other versions.
 */
export const BlamedCode = memo(function BlamedCode({
  blamed,
  showsBlame,
  selected,
  laneOf,
  onLine,
}: {
  blamed: BlamedFile;
  showsBlame: boolean;
  /** The line that is pointed at. */
  selected: number | null;
  laneOf: LaneOf;
  onLine: (line: number) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { path, content } = blamed.file;
  const code = (content ?? "").replace(/\n$/, "");
  const lines = useMemo(() => shownLines(content ?? ""), [content]);
  const items = useMemo(() => fileItems(blamed), [blamed]);
  const spans = useHighlight(code, languageOfPath(path));
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, line.length), 0), [lines]);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (items[index]?.kind === "gap" ? GAP_PX : LINE_PX),
    overscan: 20,
  });
  const target = items.findIndex((item) => item.kind === "line" && item.line === selected);
  useLayoutEffect(() => {
    if (target !== -1) virtualizer.scrollToIndex(target, { align: "auto" });
  }, [virtualizer, target]);
  return (
    <div
      ref={scroll}
      role="region"
      aria-label="The file"
      tabIndex={0}
      className="min-h-0 overflow-auto font-mono text-code outline-none"
    >
      <div
        className="relative min-w-full"
        style={{ height: virtualizer.getTotalSize(), width: `calc(${Math.min(widest, 2_000)}ch + 17rem)` }}
      >
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          const style = { transform: `translateY(${start}px)`, height: size };
          if (item.kind === "gap")
            return <Gap key={`gap ${item.gap.fromLine}`} gap={item.gap} style={style} />;
          const { line, blame, first } = item;
          return (
            <div
              key={line}
              style={style}
              data-line={line}
              data-how={blame?.how}
              className={clsx(
                "absolute inset-x-0 grid items-center",
                showsBlame
                  ? "grid-cols-[calc(208px*var(--u))_44px_minmax(0,1fr)] max-sm:grid-cols-[44px_40px_minmax(0,1fr)]"
                  : "grid-cols-[52px_minmax(0,1fr)]",
                first && showsBlame && "border-t border-line",
                line === selected && "bg-sel",
              )}
            >
              {showsBlame && <Who blame={blame} first={first} laneOf={laneOf} onLine={onLine} />}
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Line ${line}`}
                aria-pressed={line === selected}
                onClick={() => onLine(line)}
                className="h-full pr-3 text-right text-11/[20px] text-fg-3 tabular-nums select-none hover:text-accent"
              >
                {line}
              </button>
              <span className="pr-3 whitespace-pre">
                <CodeLine text={lines[line - 1] ?? ""} spans={spans[line - 1]} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** The margin of a line: a bar for who wrote it, and at the first of several lines the turn and its prompt. */
function Who({
  blame,
  first,
  laneOf,
  onLine,
}: {
  blame: BlameRange | null;
  first: boolean;
  laneOf: LaneOf;
  onLine: (line: number) => void;
}) {
  const lane = blame ? laneOf(blame.agentId) : 0;
  const kind = blame?.how === "outside" ? "outside" : blame?.how === "seen" ? "read" : "edit";
  return (
    <button
      type="button"
      tabIndex={-1}
      disabled={!blame}
      title={blame ? formatBlame(blame) : undefined}
      onClick={() => blame && onLine(blame.fromLine)}
      className="sticky left-0 z-1 flex h-full min-w-0 items-center gap-1.5 border-r border-line bg-bg pr-2 text-left font-sans text-11 text-fg-2 hover:text-fg"
    >
      <span
        className={clsx(
          "h-full w-1 flex-none",
          kind === "outside" ? "bg-warn" : kind === "edit" ? BARS[laneIndex(lane)] : "",
        )}
      />
      {first && blame && (
        <>
          <span
            className={clsx(
              "w-5 flex-none text-right tabular-nums",
              kind === "edit" && "font-semibold text-fg",
            )}
          >
            {blame.turn > 0 && kind === "edit" ? blame.turn : ""}
          </span>
          {kind === "edit" && <VersionMark kind="edit" lane={lane} />}
          <span
            className={clsx(
              "min-w-0 truncate max-sm:hidden",
              kind === "outside" ? "text-warn" : kind === "read" && "text-fg-3",
            )}
          >
            {kind === "outside"
              ? "outside"
              : kind === "read"
                ? `first seen${blame.turn > 0 ? `, turn ${blame.turn}` : ""}`
                : (blame.prompt ?? "another branch")}
          </span>
        </>
      )}
    </button>
  );
}

/** Who wrote lines, in words. */
function formatBlame({ how, turn, prompt }: BlameRange): string {
  const where = turn > 0 ? `turn ${turn}` : "another branch";
  if (how === "outside") return `Written by something that is in no log, before ${where}`;
  if (how === "seen") return `First seen in ${where}; who wrote it is in no log`;
  return `Written in ${where}${prompt ? `: ${prompt}` : ""}`;
}

function Gap({
  gap: { fromLine, toLine },
  style,
}: {
  gap: FileGap;
  style: { transform: string; height: number };
}) {
  const what =
    toLine === null
      ? fromLine === 1
        ? "What is in the file is not in the logs"
        : `From line ${fromLine} on it is not in the logs`
      : fromLine === toLine
        ? `Line ${fromLine} is not in the logs`
        : `Lines ${fromLine}–${toLine} are not in the logs`;
  return (
    <div
      style={style}
      className="hatch absolute inset-x-0 flex items-center border-y border-line px-4 font-sans text-12 font-semibold text-warn"
    >
      <span className="sticky left-4">{what}</span>
    </div>
  );
}
