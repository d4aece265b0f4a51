import { clsx } from "clsx";
import { type ReactNode, useEffect, useState } from "react";
import { textPart, useUnfolded } from "@/components/content/row-state";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatCount } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import type { Mark } from "@/lib/markup/diff-lines";
import { hasHidden } from "@/lib/markup/hidden-characters";
import { type LineSpans, TOKEN_KINDS } from "./highlight-job";

const KIND_CLASS: Record<LinePiece["kind"], string> = {
  plain: "",
  keyword: "text-a-magenta",
  string: "text-a-green",
  function: "text-a-blue",
  constant: "text-a-cyan",
  comment: "text-fg-3",
  parameter: "",
  punctuation: "",
  link: "text-a-blue",
};

const NO_MARKS: readonly Mark[] = [];
/** Longer lines are truncated with a note: laying out one huge line freezes the page. */
const MAX_LINE_CHARACTERS = 5_000;

/** How much of a line is laid out on request. */
const MAX_WHOLE_LINE = 400_000;

type CodeLineProps = {
  text: string;
  spans?: LineSpans | undefined;
  marks?: readonly Mark[];
  markClass?: string;
};

/** One line of code, highlighted, with marked ranges styled by `markClass`. */
export function CodeLine(props: CodeLineProps) {
  return props.text.length > MAX_LINE_CHARACTERS ? <LongLine {...props} /> : <LinePieces {...props} />;
}

function LongLine({ text, ...props }: CodeLineProps) {
  const [most, setMost] = useUnfolded(textPart(`line ${text.length}`, text), MAX_LINE_CHARACTERS);
  const left = text.length - most;
  return (
    <>
      <LinePieces {...props} text={textStart(text, most)} />
      {left > 0 && (
        <button
          type="button"
          data-unfolds={most === MAX_WHOLE_LINE ? undefined : ""}
          disabled={most === MAX_WHOLE_LINE}
          className="text-fg-3 enabled:hover:underline"
          onClick={() => setMost(MAX_WHOLE_LINE)}
        >
          {" "}
          … {formatCount(left)} more characters
        </button>
      )}
    </>
  );
}

function LinePieces({ text, spans, marks = NO_MARKS, markClass }: CodeLineProps) {
  const isVisible = !hasHidden(text);
  const drawn: ReactNode[] = [];
  // Text without a style of its own needs no element: that is every other piece of most lines.
  let plain = "";
  const putPlain = () => {
    if (plain !== "") drawn.push(isVisible ? plain : <VisibleText key={drawn.length} text={plain} />);
    plain = "";
  };
  for (const { text: piece, kind, marked } of linePieces(text, spans, marks)) {
    // Marks override highlighting: plain text keeps its contrast on both background tints.
    const className = marked ? clsx("rounded-[2px] text-fg", markClass) : KIND_CLASS[kind];
    if (className === "") {
      plain += piece;
      continue;
    }
    putPlain();
    drawn.push(
      <span key={drawn.length} className={className}>
        {isVisible ? piece : <VisibleText text={piece} />}
      </span>,
    );
  }
  putPlain();
  return drawn;
}

/** A stretch of a line that is drawn in one style. */
export type LinePiece = { text: string; kind: (typeof TOKEN_KINDS)[number]; marked: boolean };

/** Splits a line where its highlighting or marks change. Text that no span covers stays plain. */
export function linePieces(text: string, spans: LineSpans | undefined, marks: readonly Mark[]): LinePiece[] {
  const pieces: LinePiece[] = [];
  let mark = 0;
  let at = 0;
  const put = (to: number, kind: LinePiece["kind"]) => {
    while (at < to) {
      while (mark < marks.length && (marks[mark]?.to ?? 0) <= at) mark++;
      const next = marks[mark];
      const marked = next !== undefined && next.from <= at;
      const end = Math.min(to, next === undefined ? to : marked ? next.to : next.from);
      pieces.push({ text: text.slice(at, end), kind, marked });
      at = end;
    }
  };
  for (let i = 0; spans && i + 1 < spans.length; i += 2) {
    put(Math.min(text.length, at + (spans[i] ?? 0)), TOKEN_KINDS[spans[i + 1] ?? 0] ?? "plain");
  }
  put(text.length, "plain");
  return pieces;
}

/** Lines drawn together, so that a change in one part of a text doesn't re-render the rest. */
export const CHUNK_LINES = 50;

/** A chunk of lines. Off screen it costs neither layout nor paint, because its height is known. */
export function LineChunk({ lines, children }: { lines: number; children: ReactNode }) {
  return (
    <div
      className="[content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto calc(${lines * 18}px * var(--u))` }}
    >
      {children}
    </div>
  );
}

/**
 * The hatched bar below a truncated list or text: how much is left, and buttons to show it. Lines are shown all at
 * once, since a reader who continues wants them; other units in steps too, since each costs the page more.
 */
export function ShowMore({ steps, unit }: { steps: LineSteps; unit: string }) {
  const left = steps.total - steps.shown;
  if (left <= 0) return null;
  const inSteps = unit !== "lines" && left > steps.step;
  return (
    <LeftOutLine words={`${formatCount(left)} more ${unit}`}>
      {inSteps && <LeftOutButton onClick={steps.showNext}>Show next {formatCount(steps.step)}</LeftOutButton>}
      <LeftOutButton unfolds onClick={steps.showAll}>
        Show all {formatCount(steps.total)}
      </LeftOutButton>
    </LeftOutLine>
  );
}

/** A hatched bar in place of what is left out, with the buttons to show it. */
export function LeftOutLine({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <div className="hatch flex h-6 items-center gap-3 border-y border-line px-3 font-sans text-11 tabular-nums">
      <span className="truncate bg-panel px-1 text-fg-2">{words}</span>
      {children}
    </div>
  );
}

/** A button to show what is left out. `unfolds`: all of it, which find requests if it may contain a hit. */
export function LeftOutButton({
  disabled = false,
  unfolds = false,
  onClick,
  children,
}: {
  disabled?: boolean;
  unfolds?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      data-unfolds={unfolds ? "" : undefined}
      disabled={disabled}
      className="flex-none bg-panel px-1 text-accent hover:underline disabled:text-fg-3 print:hidden"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

type LineSteps = {
  total: number;
  shown: number;
  step: number;
  showNext: () => void;
  showAll: () => void;
};

/** How many lines one frame can draw without being late. */
const LINES_PER_FRAME = 50;

/**
 * How many of `total` lines are shown: `step` at first, more on request, and at least `min` at once. Requested lines
 * are added a few per frame, so that no frame draws thousands. They are there at once when the surrounding row comes
 * back into the page.
 * @param part names the list among those of its row
 */
export function useSteps(part: string, total: number, step = 200, min = 0): LineSteps {
  const [wanted, setWanted] = useUnfolded(part, step);
  const [limit, setLimit] = useState(() => Math.min(wanted, Math.max(step, total)));
  const needed = Math.max(limit, min);
  useEffect(() => {
    if (limit >= Math.min(wanted, total)) return;
    const frame = requestAnimationFrame(() => setLimit(limit + LINES_PER_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [limit, wanted, total]);
  return {
    total,
    // A small remainder is shown with the rest instead of behind a button.
    shown: total <= needed * 1.1 ? total : needed,
    step,
    showNext: () => setWanted(limit + step),
    showAll: () => setWanted(Number.POSITIVE_INFINITY),
  };
}
