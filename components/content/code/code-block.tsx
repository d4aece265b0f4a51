import { clsx } from "clsx";
import { memo, type ReactNode, useMemo, useState } from "react";
import {
  type LineSelection,
  useLineSelection,
  useLineSelectionActions,
  useScrollIntoView,
} from "@/components/content/line-selection";
import { textPart } from "@/components/content/row-state";
import { VisibleText } from "@/components/content/text/visible-text";
import { CopyButton } from "@/components/ui/button";
import { usePreferences } from "@/lib/client/preferences";
import { CHUNK_LINES, CodeLine, LineChunk, ShowMore, useSteps } from "./code-line";
import { useHighlight } from "./highlight";
import { type LineSpans, languageOfName } from "./highlight-job";
import { WrapButton } from "./wrap-button";

/** Code with line numbers and highlighting, revealed in steps. `created` draws a bar at its left, for a new file. */
export const CodeBlock = memo(function CodeBlock({
  text,
  firstLine,
  language,
  created = false,
}: {
  text: string;
  /** `null` when the line numbers are unknown. */
  firstLine: number | null;
  language: string | null;
  created?: boolean;
}) {
  const code = useMemo(() => text.replace(/\n$/, ""), [text]);
  const lines = useMemo(() => code.split("\n"), [code]);
  const spans = useHighlight(code, language);
  const selection = useLineSelection();
  const linkedTo = firstLine !== null && selection.lines ? selection.lines.to - firstLine + 1 : 0;
  const steps = useSteps(textPart("code", text), lines.length, 100, Math.min(lines.length, linkedTo));
  const chunks = Math.ceil(steps.shown / CHUNK_LINES);
  return (
    <>
      <div
        tabIndex={0}
        className={clsx(
          "overflow-x-auto py-1 font-mono text-code",
          created && "shadow-[inset_2px_0_0_var(--add-fg)]",
        )}
      >
        <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
          {Array.from({ length: chunks }, (_, chunk) => {
            const from = chunk * CHUNK_LINES;
            const to = Math.min(steps.shown, from + CHUNK_LINES);
            const number = firstLine === null ? null : firstLine + from;
            const marks = selectedWithin(selection, number, (number ?? 0) + to - from - 1);
            return (
              <CodeChunk
                key={chunk}
                lines={lines}
                spans={spans}
                from={from}
                to={to}
                firstLine={number}
                markFrom={marks.from}
                markTo={marks.to}
                intoView={marks.intoView}
              />
            );
          })}
        </div>
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
});

const CodeChunk = memo(function CodeChunk({
  lines,
  spans,
  from,
  to,
  firstLine,
  markFrom,
  markTo,
  intoView,
}: {
  lines: readonly string[];
  spans: readonly LineSpans[];
  from: number;
  to: number;
  firstLine: number | null;
  markFrom: number;
  markTo: number;
  intoView: boolean;
}) {
  const drawn = lines.slice(from, to).map((text, index) => {
    const number = firstLine === null ? null : firstLine + index;
    const marked = number !== null && number >= markFrom && number <= markTo;
    return (
      <NumberedLine key={index} number={number} marked={marked} intoView={intoView && number === markFrom}>
        <CodeLine text={text} spans={spans[from + index]} />
      </NumberedLine>
    );
  });
  return <LineChunk lines={to - from}>{drawn}</LineChunk>;
});

function NumberedLine({
  number,
  marked,
  intoView,
  children,
}: {
  number: number | null;
  marked: boolean;
  intoView: boolean;
  children: ReactNode;
}) {
  const line = useScrollIntoView<HTMLDivElement>(intoView);
  return (
    <div
      ref={line}
      data-marked={marked || undefined}
      className={clsx(
        "grid",
        number === null ? "grid-cols-[12px_minmax(0,1fr)]" : "grid-cols-[calc(44px*var(--u))_minmax(0,1fr)]",
        marked && "bg-sel shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <span className="pr-3 text-right text-11/[18px] text-fg-3 tabular-nums select-none">
        {number !== null && <LineNumber line={number} />}
      </span>
      <span className="pr-3 whitespace-pre group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap">
        {children}
      </span>
    </div>
  );
}

/** A line number. In an opened row a click selects the line, and a click with Shift extends the selection to it. */
export function LineNumber({ line }: { line: number }) {
  const actions = useLineSelectionActions();
  if (!actions) return line;
  return (
    <button
      type="button"
      tabIndex={-1}
      title="Select line (Shift-click for a range)"
      // Shift here is for lines, not for the rows of the thread.
      data-takes-shift=""
      className="w-full text-right hover:text-accent"
      onClick={({ shiftKey }) => actions.pick(line, shiftKey)}
    >
      {line}
    </button>
  );
}

/** The selected lines within a chunk; `from` > `to` if there are none. `intoView`: scroll the first into view. */
export type ChunkSelection = { from: number; to: number; intoView: boolean };

const NONE: ChunkSelection = { from: 1, to: 0, intoView: false };

/** The part of the selection in lines `first` to `last`. Returns one shared object where there is none. */
function selectedWithin(selection: LineSelection, first: number | null, last: number): ChunkSelection {
  const { lines, linked } = selection;
  if (!lines || first === null || lines.to < first || lines.from > last) return NONE;
  return {
    from: Math.max(first, lines.from),
    to: Math.min(last, lines.to),
    intoView: linked && lines.from >= first,
  };
}

/** A code block in prose, shown as source. Diagrams and formulas are shown this way as well. */
export function CodeFence({ text, language }: { text: string; language: string }) {
  const code = text.replace(/\n$/, "");
  const lines = code.split("\n");
  const steps = useSteps(textPart("fence", text), lines.length);
  const spans = useHighlight(code, languageOfName(language));
  const preferred = usePreferences().wrap;
  const [chosen, setWrap] = useState<boolean | null>(null);
  const wrap = chosen ?? preferred;
  const [near, setNear] = useState(false);
  return (
    // The buttons are mounted on hover or focus only, since a thread contains many blocks.
    <div
      onPointerOver={() => setNear(true)}
      onFocus={() => setNear(true)}
      data-log=""
      className="group/fence relative rounded-2 bg-raised py-1.5 font-mono text-code"
    >
      {near && <FenceTools code={code} language={language} wrap={wrap} onWrap={setWrap} />}
      <pre
        className={clsx(
          "px-3 font-mono",
          wrap ? "[overflow-wrap:anywhere] whitespace-pre-wrap" : "overflow-x-auto",
        )}
        tabIndex={0}
      >
        {lines.slice(0, steps.shown).map((line, index) => (
          <div key={index} className="min-h-[1lh]">
            <CodeLine text={line} spans={spans[index]} />
          </div>
        ))}
      </pre>
      <ShowMore steps={steps} unit="lines" />
    </div>
  );
}

/** Buttons over the top right corner of the code, visible on hover and focus. */
function FenceTools({
  code,
  language,
  wrap,
  onWrap,
}: {
  code: string;
  language: string;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
}) {
  return (
    <div
      data-log="none"
      className="absolute top-1 right-1 flex items-center rounded-2 border border-line-2 bg-panel pl-2 font-sans text-11 text-fg-2 opacity-0 group-focus-within/fence:opacity-100 group-hover/fence:opacity-100 pointer-coarse:opacity-100 print:hidden"
    >
      {language && (
        <span className="max-w-40 truncate pr-1">
          <VisibleText text={language} />
        </span>
      )}
      <WrapButton wrap={wrap} onWrap={onWrap} />
      <CopyButton className="h-5" text={code} label="Copy code" />
    </div>
  );
}
