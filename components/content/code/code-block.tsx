import { memo, type ReactNode, useMemo } from "react";
import { useBroughtIntoView, useOpenedPlace } from "@/components/content/line-selection";
import { cx } from "@/lib/client/class-names";
import { CodeLine } from "./code-line";
import type { LineSpans } from "./highlight-job";
import { CHUNK_LINES, LineChunk } from "./line-chunk";
import { LineNumber } from "./line-number";
import { marksWithin } from "./marked-lines";
import { ShowMore } from "./show-more";
import { useHighlight } from "./use-highlight";
import { useSteps } from "./use-steps";

/** Code with line numbers and syntax, opened in steps. `created`: a bar at its left, for a new file. */
export const CodeBlock = memo(function CodeBlock({
  text,
  firstLine,
  language,
  created = false,
}: {
  text: string;
  /** `null` where the numbers are not known. */
  firstLine: number | null;
  language: string | null;
  created?: boolean;
}) {
  const code = useMemo(() => text.replace(/\n$/, ""), [text]);
  const lines = useMemo(() => code.split("\n"), [code]);
  const spans = useHighlight(code, language);
  const place = useOpenedPlace();
  const linkedTo = firstLine !== null && place.lines ? place.lines.to - firstLine + 1 : 0;
  const steps = useSteps(lines.length, 100, Math.min(lines.length, linkedTo));
  const chunks = Math.ceil(steps.shown / CHUNK_LINES);
  return (
    <>
      <div
        tabIndex={0}
        className={cx(
          "overflow-x-auto py-1 font-mono text-code",
          created && "shadow-[inset_2px_0_0_var(--add-fg)]",
        )}
      >
        <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
          {Array.from({ length: chunks }, (_, chunk) => {
            const from = chunk * CHUNK_LINES;
            const to = Math.min(steps.shown, from + CHUNK_LINES);
            const number = firstLine === null ? null : firstLine + from;
            const marks = marksWithin(place, number, (number ?? 0) + to - from - 1);
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
  const line = useBroughtIntoView<HTMLDivElement>(intoView);
  return (
    <div
      ref={line}
      data-marked={marked || undefined}
      className={cx(
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
