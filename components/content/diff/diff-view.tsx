import { clsx } from "clsx";
import { ChevronDown, ChevronsUpDown, ChevronUp, Link } from "lucide-react";
import { memo, useMemo } from "react";
import { LineNumber } from "@/components/content/code/code-block";
import { CHUNK_LINES, CodeLine, LineChunk, ShowMore, useSteps } from "@/components/content/code/code-line";
import { useHighlights } from "@/components/content/code/highlight";
import { type LineSpans, languageOfPath } from "@/components/content/code/highlight-job";
import {
  useLineSelection,
  useLineSelectionActions,
  useScrollIntoView,
} from "@/components/content/line-selection";
import { Icon } from "@/components/ui/icon";
import { formatPlural } from "@/lib/format/format";
import {
  type CodeDiffLine,
  type DiffLine,
  diffLines,
  type SplitRow,
  sideTexts,
  splitRows,
  wordMarks,
} from "@/lib/markup/diff-lines";
import type { FileDiff } from "@/lib/wire/record";
import { type OriginalText, useGaps } from "./use-original";

/** A file's change, unified or split, with line numbers, highlighting, changed words and expandable context. */
export function DiffView({
  diff,
  original,
  split,
  ignoreSpace,
  whole,
}: {
  diff: FileDiff;
  /** The file before the change, if the log contains it. */
  original: OriginalText | null;
  split: boolean;
  ignoreSpace: boolean;
  /** How the whole texts are highlighted; `null` where they are not known: then the hunks are. */
  whole: SideSpans | null;
}) {
  const originalLines = original?.lines ?? null;
  const all = useMemo(
    () => diffLines(diff.hunks, { numbersKnown: !diff.computed, ignoreSpace, originalLines }),
    [diff, ignoreSpace, originalLines],
  );
  const { lines, open } = useGaps(all, original, diff.path);
  const sides = useMemo(() => sideTexts(diff.hunks), [diff]);
  const ofHunks = useHighlights(sides.before, sides.after, whole ? null : languageOfPath(diff.path));
  const spansOf = useMemo(() => spansBy(whole, ofHunks), [whole, ofHunks]);
  const selection = useLineSelection();
  const rows = useMemo(() => (split ? splitRows(lines) : null), [split, lines]);
  const linked = useMemo(
    () => lines.findLastIndex((line) => isSelected(line, selection)),
    [lines, selection],
  );
  const steps = useSteps(`diff ${diff.path}`, rows?.length ?? lines.length, 100, linked + 1);
  const chunks = Array.from({ length: Math.ceil(steps.shown / CHUNK_LINES) }, (_, chunk) => ({
    key: chunk,
    from: chunk * CHUNK_LINES,
    to: Math.min(steps.shown, (chunk + 1) * CHUNK_LINES),
    spansOf,
    onGap: open,
  }));
  return (
    <>
      <div tabIndex={0} data-file={diff.path} className="overflow-x-auto py-1 font-mono text-code">
        {rows ? (
          chunks.map(({ key, ...chunk }) => <SplitChunk key={key} rows={rows} {...chunk} />)
        ) : (
          <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
            {chunks.map(({ key, ...chunk }) => (
              <DiffChunk key={key} lines={lines} {...chunk} />
            ))}
          </div>
        )}
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

/** How the lines of both sides are highlighted. */
export type SideSpans = readonly [before: readonly LineSpans[], after: readonly LineSpans[]];

type SpansOf = (line: CodeDiffLine) => LineSpans | undefined;

/** A line on both sides looks as it does in the new text. */
function spansBy(whole: SideSpans | null, [before, after]: SideSpans): SpansOf {
  if (!whole) return ({ kind, sideLine }) => (kind === "removed" ? before : after)[sideLine];
  return ({ kind, oldLine, newLine }) => {
    const [spans, line] = kind === "removed" ? [whole[0], oldLine] : [whole[1], newLine];
    return line === null ? undefined : spans[line - 1];
  };
}

function isSelected(
  line: ReturnType<typeof diffLines>[number],
  { lines, hunk }: ReturnType<typeof useLineSelection>,
): boolean {
  if (line.kind === "hunk") return hunk === line.hunk;
  if (!lines || !("newLine" in line) || line.kind === "gap" || line.newLine === null) return false;
  return line.newLine >= lines.from && line.newLine <= lines.to;
}

type ChunkProps = {
  from: number;
  to: number;
  spansOf: SpansOf;
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
};

/** A chunk of lines of a unified diff. */
const DiffChunk = memo(function DiffChunk({
  lines,
  from,
  to,
  spansOf,
  onGap,
}: ChunkProps & { lines: readonly DiffLine[] }) {
  const drawn = lines
    .slice(from, to)
    .map((line, index) =>
      "sideLine" in line ? (
        <UnifiedLine key={index} line={line} spans={spansOf(line)} />
      ) : (
        <AcrossLine key={index} line={line} onGap={onGap} />
      ),
    );
  return <LineChunk lines={to - from}>{drawn}</LineChunk>;
});

const GRID = "grid grid-cols-[36px_36px_20px_minmax(0,1fr)] max-sm:grid-cols-[20px_minmax(0,1fr)]";
const GUTTER = "pr-2 text-right text-11/[18px] text-fg-3 tabular-nums select-none max-sm:hidden";

const UnifiedLine = memo(function UnifiedLine({
  line,
  spans,
}: {
  line: CodeDiffLine;
  spans: LineSpans | undefined;
}) {
  const { lines, linked } = useLineSelection();
  const { newLine, oldLine } = line;
  const marked = lines !== null && newLine !== null && newLine >= lines.from && newLine <= lines.to;
  const element = useScrollIntoView<HTMLDivElement>(marked && linked && newLine === lines.from);
  const look = LOOKS[line.kind];
  // An unknown number is shown as a dot; a side without the line stays empty.
  const unknown = oldLine === null && newLine === null ? "·" : "";
  return (
    <div
      ref={element}
      data-line={newLine}
      data-old-line={oldLine}
      data-marked={marked || undefined}
      className={clsx(
        GRID,
        look.ground,
        marked && "shadow-[inset_2px_0_0_var(--accent)]",
        marked && !look.ground && "bg-sel",
      )}
    >
      <span className={GUTTER}>{oldLine ?? (line.kind === "added" ? "" : unknown)}</span>
      <span className={GUTTER}>
        {newLine === null ? line.kind === "removed" ? "" : unknown : <LineNumber line={newLine} />}
      </span>
      <span className={clsx("text-center select-none", look.sign)}>{look.mark}</span>
      <span className="pr-3 whitespace-pre group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap">
        <DiffCode line={line} spans={spans} />
      </span>
    </div>
  );
});

/** A chunk of rows of a split diff. Long lines wrap, since half the page has no room to scroll. */
const SplitChunk = memo(function SplitChunk({
  rows,
  from,
  to,
  spansOf,
  onGap,
}: ChunkProps & { rows: readonly SplitRow[] }) {
  const drawn = rows.slice(from, to).map((row, index) =>
    row.kind === "across" ? (
      <AcrossLine key={index} line={row.line} onGap={onGap} />
    ) : (
      <div key={index} className="grid grid-cols-2">
        <Side line={row.before} side="old" spans={row.before && spansOf(row.before)} />
        <Side line={row.after} side="new" spans={row.after && spansOf(row.after)} />
      </div>
    ),
  );
  return <LineChunk lines={to - from}>{drawn}</LineChunk>;
});

function Side({
  line,
  side,
  spans,
}: {
  line: CodeDiffLine | null;
  side: "old" | "new";
  spans: LineSpans | undefined | null;
}) {
  const { lines, linked } = useLineSelection();
  const number = line && (side === "old" ? line.oldLine : line.newLine);
  const marked =
    side === "new" && lines !== null && number !== null && number >= lines.from && number <= lines.to;
  const element = useScrollIntoView<HTMLDivElement>(marked && linked && number === lines.from);
  const look = line ? LOOKS[line.kind] : null;
  return (
    <div
      ref={element}
      data-line={side === "new" ? number : undefined}
      data-old-line={side === "old" ? number : undefined}
      data-marked={marked || undefined}
      className={clsx(
        "grid min-w-0 grid-cols-[36px_16px_minmax(0,1fr)]",
        side === "new" && "border-l border-line",
        line ? look?.ground : "hatch",
        marked && "bg-sel shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <span className="pr-2 text-right text-11/[18px] text-fg-3 tabular-nums select-none">
        {line && (number === null ? "·" : side === "new" ? <LineNumber line={number} /> : number)}
      </span>
      <span className={clsx("text-center select-none", look?.sign)}>{look?.mark}</span>
      <span className="pr-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {line && <DiffCode line={line} spans={spans ?? undefined} />}
      </span>
    </div>
  );
}

/** Background, sign and word tint of each kind of line. */
const LOOKS = {
  context: { ground: "", sign: "", mark: "", word: "" },
  added: { ground: "bg-add-bg", sign: "text-add-fg", mark: "+", word: "bg-add-w" },
  removed: { ground: "bg-del-bg", sign: "text-del-fg", mark: "−", word: "bg-del-w" },
};

/** A line's code with its changed words marked. They are computed on render, since most lines are never drawn. */
function DiffCode({ line, spans }: { line: CodeDiffLine; spans: LineSpans | undefined }) {
  const { kind, text, pair } = line;
  const marks = useMemo(() => {
    if (pair === null) return [];
    return kind === "removed" ? wordMarks(text, pair).removed : wordMarks(pair, text).added;
  }, [kind, text, pair]);
  return <CodeLine text={text} spans={spans} marks={marks} markClass={LOOKS[kind].word} />;
}

/** A line across both sides: a hunk header, a gap or a note in the patch. */
function AcrossLine({
  line,
  onGap,
}: {
  line: Exclude<DiffLine, CodeDiffLine>;
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
}) {
  if (line.kind === "gap") return <Gap line={line} onGap={onGap} />;
  if (line.kind === "hunk") return <HunkLine line={line} />;
  return (
    <div data-log="none" className="bg-panel pl-[92px] text-fg-3 max-sm:pl-5">
      {line.text}
    </div>
  );
}

function HunkLine({ line }: { line: Extract<DiffLine, { kind: "hunk" }> }) {
  const { hunk, linked } = useLineSelection();
  const actions = useLineSelectionActions();
  const marked = hunk === line.hunk;
  const element = useScrollIntoView<HTMLDivElement>(marked && linked);
  return (
    <div
      ref={element}
      data-hunk={line.hunk}
      data-log="none"
      data-marked={marked || undefined}
      className={clsx(
        "group/hunk flex items-center gap-2 pl-[92px] text-fg-3 max-sm:pl-5",
        marked ? "bg-sel shadow-[inset_2px_0_0_var(--accent)]" : "bg-panel",
      )}
    >
      {line.text}
      {actions?.copyHunkLink && (
        <button
          type="button"
          aria-label={`Copy link to hunk ${line.hunk}`}
          title={`Copy link to hunk ${line.hunk}`}
          className="touch-room relative flex rounded-1 opacity-0 print:hidden group-hover/hunk:opacity-100 hover:text-fg focus-visible:opacity-100 pointer-coarse:opacity-100"
          onClick={() => actions.copyHunkLink?.(line.hunk)}
        >
          <Icon of={Link} small />
        </button>
      )}
    </div>
  );
}

const MAX_SINGLE_BUTTON_LINES = 30;

function Gap({
  line,
  onGap,
}: {
  line: Extract<DiffLine, { kind: "gap" }>;
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
}) {
  const button = "flex items-center gap-1 rounded-1 bg-panel px-1 hover:text-fg hover:underline";
  return (
    <div className="hatch flex h-[18px] items-center gap-2 pl-[84px] font-sans text-11 text-fg-3 tabular-nums max-sm:pl-1">
      {line.count <= MAX_SINGLE_BUTTON_LINES ? (
        <button type="button" data-unfolds="" className={button} onClick={() => onGap(line.oldLine, "all")}>
          <Icon of={ChevronsUpDown} small className="print:hidden" />
          {/* An element: a button with an icon alone is not printed. */}
          <span>{formatPlural(line.count, "unchanged line")}</span>
        </button>
      ) : (
        <>
          <button
            type="button"
            className={`${button} print:hidden`}
            onClick={() => onGap(line.oldLine, "top")}
          >
            <Icon of={ChevronDown} small />
            20 more
          </button>
          <button
            type="button"
            className={`${button} print:hidden`}
            onClick={() => onGap(line.oldLine, "bottom")}
          >
            <Icon of={ChevronUp} small />
            20 above
          </button>
          <button type="button" data-unfolds="" className={button} onClick={() => onGap(line.oldLine, "all")}>
            all {formatPlural(line.count, "unchanged line")}
          </button>
        </>
      )}
    </div>
  );
}
