import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { CodeLine } from "@/components/content/code/code-line";
import { useHighlight } from "@/components/content/code/highlight";
import { type LineSpans, languageOfPath } from "@/components/content/code/highlight-job";
import { useBoxPlace } from "@/components/ui/list-place";
import { laneIndex } from "@/components/ui/marks";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { BlameRange, FileGap } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";
import { type BlamedFile, codeOf, type FileItem, fileItems, shownLines } from "./file-versions";
import { usePresentedLines } from "./presented-lines";
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
  sessionId,
  blamed,
  showsBlame,
  selected,
  laneOf,
  onLine,
  onRange,
}: {
  sessionId: SessionId;
  blamed: BlamedFile;
  showsBlame: boolean;
  /** The line that is pointed at. */
  selected: number | null;
  laneOf: LaneOf;
  onLine: (line: number) => void;
  /** Told of a line of which the whole range is pointed at: all that was written with it. */
  onRange: (line: number) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { path, content } = blamed.file;
  const lines = useMemo(() => shownLines(content ?? ""), [content]);
  const spansOf = useLineSpans(codeOf(blamed.file), lines, languageOfPath(path));
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, line.length), 0), [lines]);
  const { drawn, totalPx } = useDrawnItems(scroll, blamed, selected);
  // A line that is pointed at is what one comes for, or back to.
  const [isFree] = useState(selected === null);
  const onScroll = useBoxPlace({ view: "file", list: `${sessionId} ${path}` }, scroll, isFree);
  return (
    <div
      ref={scroll}
      onScroll={onScroll}
      role="region"
      aria-label="The file"
      tabIndex={0}
      className="min-h-0 overflow-auto font-mono text-code outline-none [contain:strict]"
    >
      {content === "" && <p className="px-3 py-1 font-sans text-12 text-fg-3">The file is empty.</p>}
      <div
        className="relative min-w-full"
        style={{ height: totalPx, width: `calc(${Math.min(widest, 2_000)}ch + 17rem)` }}
      >
        {showsBlame && <Margin drawn={drawn} laneOf={laneOf} onRange={onRange} />}
        {drawn.map(({ item, start, size }) =>
          item.kind === "gap" ? (
            <Gap key={`gap ${item.gap.fromLine}`} gap={item.gap} topPx={start} heightPx={size} />
          ) : (
            <BlamedLine
              key={item.line}
              line={item.line}
              text={lines[item.line - 1] ?? ""}
              spans={spansOf(item.line)}
              topPx={start}
              blame={item.blame}
              first={item.first}
              showsBlame={showsBlame}
              selected={item.line === selected}
              onLine={onLine}
            />
          ),
        )}
      </div>
    </div>
  );
});

/** A line of a file, or a gap in what is known of it, and where it stands in the box that is scrolled. */
type DrawnItem = { item: FileItem; start: number; size: number };

/** The lines and gaps that are in view. Where another line is pointed at, it is brought there. */
function useDrawnItems(
  scroll: RefObject<HTMLDivElement | null>,
  blamed: BlamedFile,
  selected: number | null,
): { drawn: DrawnItem[]; totalPx: number } {
  const items = useMemo(() => fileItems(blamed), [blamed]);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (items[index]?.kind === "gap" ? GAP_PX : LINE_PX),
    overscan: 10,
  });
  const target = items.findIndex((item) => item.kind === "line" && item.line === selected);
  useLayoutEffect(() => {
    if (target !== -1) virtualizer.scrollToIndex(target, { align: "auto" });
  }, [virtualizer, target]);
  const drawn = virtualizer.getVirtualItems().flatMap(({ index, start, size }) => {
    const item = items[index];
    return item ? [{ item, start, size }] : [];
  });
  usePresentedLines(scroll, { virtualizer, items, target });
  return { drawn, totalPx: virtualizer.getTotalSize() };
}

/**
 * How lines are highlighted. Until that is known of a text, a line that is the same as before, with what stands above or
 * below it, looks as it did there: a reader who goes from version to version sees what changed, and not the colours.
 */
function useLineSpans(
  code: string,
  lines: readonly string[],
  language: string | null,
): (line: number) => LineSpans | undefined {
  const spans = useHighlight(code, language);
  // Only what is drawn until then depends on it, so a change of it is nothing to draw.
  const last = useRef({ lines, spans });
  useLayoutEffect(() => {
    if (spans.length > 0) last.current = { lines, spans };
  }, [lines, spans]);
  if (spans.length > 0) return (line) => spans[line - 1];
  const before = last.current;
  const moved = before.lines.length - lines.length;
  return (line) => {
    const at = [line - 1, line - 1 + moved].find((index) => before.lines[index] === lines[line - 1]);
    return at === undefined ? undefined : before.spans[at];
  };
}

type LineProps = {
  line: number;
  text: string;
  spans: LineSpans | undefined;
  topPx: number;
  blame: BlameRange | null;
  /** The first of its range. */
  first: boolean;
  showsBlame: boolean;
  selected: boolean;
  onLine: (line: number) => void;
};

/** A line, drawn again only when it looks different: from one version to the next most of them are the same. */
const BlamedLine = memo(function BlamedLine({
  line,
  text,
  spans,
  topPx,
  blame,
  first,
  showsBlame,
  selected,
  onLine,
}: LineProps) {
  return (
    <div
      style={{ top: topPx, height: LINE_PX }}
      data-line={line}
      data-how={blame?.how}
      className={clsx(
        "absolute right-0 grid items-center",
        showsBlame
          ? "left-[calc(208px*var(--u))] grid-cols-[44px_minmax(0,1fr)] max-sm:left-11 max-sm:grid-cols-[40px_minmax(0,1fr)]"
          : "left-0 grid-cols-[52px_minmax(0,1fr)]",
        first && showsBlame && "border-t border-line",
        selected && "bg-sel",
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Line ${line}`}
        title={labelHidden(blame ? formatBlame(blame) : undefined)}
        aria-pressed={selected}
        onClick={() => onLine(line)}
        className="h-full pr-3 text-right text-11/[20px] text-fg-3 tabular-nums select-none hover:text-accent"
      >
        {line}
      </button>
      <span className="pr-3 whitespace-pre">
        <CodeLine text={text} spans={spans} />
      </span>
    </div>
  );
}, looksTheSame);

/** Spans and blame are made anew for each version. */
function looksTheSame({ spans, ...one }: LineProps, { spans: others, ...two }: LineProps) {
  return saysTheSame(one, two) && hasSameSpans(spans, others);
}

function saysTheSame<Props extends { blame: BlameRange | null }>(
  { blame, ...one }: Props,
  { blame: other, ...two }: Props,
) {
  const names = Object.keys(one) as (keyof typeof one)[];
  return (
    names.every((name) => one[name] === two[name]) &&
    blame?.how === other?.how &&
    blame?.turn === other?.turn &&
    blame?.prompt === other?.prompt
  );
}

function hasSameSpans(one: LineSpans | undefined, other: LineSpans | undefined): boolean {
  if (one === other) return true;
  if (one?.length !== other?.length) return false;
  for (let at = 0; one && at < one.length; at++) if (one[at] !== other?.[at]) return false;
  return true;
}

/**
 * Who wrote the lines. It stays while the code is scrolled sideways, and cuts off what is too long for it. It does so as
 * one: what keeps or clips each line by itself is a layer a line, from which the browser puts every frame together.
 */
function Margin({
  drawn,
  laneOf,
  onRange,
}: {
  drawn: readonly DrawnItem[];
  laneOf: LaneOf;
  onRange: (line: number) => void;
}) {
  return (
    <div className="sticky left-0 z-1 h-full w-[calc(208px*var(--u))] overflow-hidden border-r border-line bg-bg max-sm:w-11">
      {drawn.map(
        ({ item, start }) =>
          item.kind === "line" && (
            <Who
              key={item.line}
              line={item.line}
              topPx={start}
              blame={item.blame}
              lane={item.blame ? laneOf(item.blame.agentId) : 0}
              first={item.first}
              onRange={onRange}
            />
          ),
      )}
    </div>
  );
}

/** So many letters surely fit into the margin. */
const FITTING_WORDS = 16;

/** Under the line above it, and not where the words are not shown. */
const FADES_OUT =
  "after:absolute after:inset-y-0 after:right-0 after:w-5 after:bg-linear-to-l after:from-bg after:to-transparent max-sm:after:hidden";

function marginWords({ how, turn, prompt }: BlameRange): string {
  if (how === "outside") return "outside";
  if (how === "seen") return turn > 0 ? `first seen, turn ${turn}` : "first seen";
  return prompt ?? "another branch";
}

type WhoProps = {
  line: number;
  topPx: number;
  blame: BlameRange | null;
  lane: number;
  /** The first of its range: it says whose the lines are. */
  first: boolean;
  onRange: (line: number) => void;
};

/** A line's part of the margin: a bar for who wrote it, and at the first of several lines the turn and its prompt. */
const Who = memo(function Who({ line, topPx, blame, lane, first, onRange }: WhoProps) {
  const kind = blame?.how === "outside" ? "outside" : blame?.how === "seen" ? "read" : "edit";
  const words = first && blame ? marginWords(blame) : "";
  return (
    <button
      type="button"
      tabIndex={-1}
      disabled={!blame}
      title={labelHidden(blame ? formatBlame(blame) : undefined)}
      onClick={() => onRange(line)}
      style={{ top: topPx, height: LINE_PX }}
      className={clsx(
        "absolute inset-x-0 flex items-center gap-1.5 text-left max-sm:gap-1 font-sans text-11 text-fg-2 hover:text-fg",
        first && "border-t border-line",
        words.length > FITTING_WORDS && FADES_OUT,
      )}
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
              "flex-none whitespace-nowrap max-sm:hidden",
              kind === "outside" ? "text-warn" : kind === "read" && "text-fg-3",
            )}
          >
            {words}
          </span>
        </>
      )}
    </button>
  );
}, saysTheSame);

/** Who wrote lines, in words. */
function formatBlame({ how, turn, prompt }: BlameRange): string {
  const where = turn > 0 ? `turn ${turn}` : "another branch";
  if (how === "outside") return `Written by something that is in no log, before ${where}`;
  if (how === "seen") return `First seen in ${where}; who wrote it is in no log`;
  return `Written in ${where}${prompt ? `: ${prompt}` : ""}`;
}

function Gap({
  gap: { fromLine, toLine },
  topPx,
  heightPx,
}: {
  gap: FileGap;
  topPx: number;
  heightPx: number;
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
      style={{ top: topPx, height: heightPx }}
      className="hatch absolute inset-x-0 z-2 flex items-center border-y border-line px-4 font-sans text-12 font-semibold text-warn"
    >
      <span className="sticky left-4">{what}</span>
    </div>
  );
}
