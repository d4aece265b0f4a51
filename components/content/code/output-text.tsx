import { memo, useEffect, useMemo, useState } from "react";
import { AnsiText } from "@/components/content/ansi/ansi-text";
import { textPart, useUnfolded } from "@/components/content/row-state";
import { formatLength, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { foldProgress } from "@/lib/markup/progress";
import { CHUNK_LINES, LeftOutButton, LeftOutLine, LineChunk } from "./code-line";
import { foldOutput, HEAD_LINES } from "./fold-output";

/** Longer lines are truncated with a note: laying out one huge line freezes the page. */
const MAX_LINE_CHARACTERS = 5_000;
/** How much of a line is laid out on request. */
const MAX_WHOLE_LINE = 400_000;

/** The rest of an output of which only the beginning (and `tail`) is here. */
export type OutputRest = {
  tail: string;
  /** `null` where it is not known. */
  lines: number | null;
  characters: number;
  state: "not-asked" | "loading" | "failed";
  load: () => void;
};

/**
 * Terminal output: whole, or of a long one its head and tail around a bar that shows the rest. An ANSI style carries
 * over to following lines only within one chunk.
 */
export const OutputText = memo(function OutputText({
  text,
  isError = false,
  rest = null,
}: {
  text: string;
  isError?: boolean;
  rest?: OutputRest | null;
}) {
  const part = textPart(isError ? "errors" : "output", text);
  const [all, setAll] = useUnfolded(part, false);
  const folded = useMemo(() => foldOutput(text, rest), [text, rest]);
  const { lines, head, tail, leftOut } = folded;
  const isWhole = all && rest === null;
  // Complete at once if it was complete before: the reader comes back to a line of it.
  const [wasWhole] = useState(isWhole);
  const shown = useGrowing(isWhole ? lines.length : head, wasWhole);
  const showAll = () => {
    setAll(true);
    rest?.load();
  };
  return (
    <>
      <OutputLines part={part} lines={lines} to={shown} isError={isError} />
      {leftOut > 0 && !isWhole && (
        <>
          <LeftOutLine
            words={
              rest?.state === "failed"
                ? "Couldn’t load the rest. Open the inspector for the raw record"
                : `${formatPlural(leftOut, "line")} left out`
            }
          >
            {rest?.state !== "failed" && (
              <LeftOutButton unfolds disabled={rest?.state === "loading"} onClick={showAll}>
                {rest?.state === "loading"
                  ? "Loading…"
                  : `Show all ${formatPlural(folded.total, "line")}, ${formatLength(folded.characters)}`}
              </LeftOutButton>
            )}
          </LeftOutLine>
          {tail.length > 0 && (
            <OutputLines part={`${part} end`} lines={tail} to={tail.length} isError={isError} />
          )}
        </>
      )}
    </>
  );
});

/** Lines that one frame adds: chunks off screen cost little, and an output of any length is there within a second. */
const LINES_PER_FRAME = 1_000;

/** The number of lines to draw, growing up to `wanted`: later requests are added a part per frame. */
function useGrowing(wanted: number, atOnce: boolean): number {
  const [shown, setShown] = useState(atOnce ? wanted : Math.min(wanted, HEAD_LINES * 2));
  useEffect(() => {
    if (shown >= wanted) return;
    const frame = requestAnimationFrame(() => setShown(Math.min(wanted, shown + LINES_PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [shown, wanted]);
  return Math.min(shown, wanted);
}

function OutputLines({
  part,
  lines,
  to,
  isError,
}: {
  part: string;
  lines: readonly string[];
  to: number;
  isError: boolean;
}) {
  return (
    <pre
      tabIndex={0}
      className={`overflow-x-auto px-3 py-1.5 font-mono text-code group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap ${isError ? "text-err" : ""}`}
    >
      {/* As wide as its lines: a chunk is clipped at its own edge. */}
      <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
        {Array.from({ length: Math.ceil(to / CHUNK_LINES) }, (_, chunk) => (
          <OutputChunk
            key={chunk}
            part={part}
            lines={lines}
            from={chunk * CHUNK_LINES}
            to={Math.min(to, (chunk + 1) * CHUNK_LINES)}
          />
        ))}
      </div>
    </pre>
  );
}

const OutputChunk = memo(function OutputChunk({
  part,
  lines,
  from,
  to,
}: {
  part: string;
  lines: readonly string[];
  from: number;
  to: number;
}) {
  const [most, setMost] = useUnfolded(`${part} ${from}`, MAX_LINE_CHARACTERS);
  const [isFolded, setFolded] = useUnfolded(`${part} ${from} progress`, true);
  const folded = lines
    .slice(from, to)
    .map((line) => (isFolded ? foldProgress(line) : { text: line, left: 0 }));
  const text = folded.map((line) => cutLine(line.text, most)).join("\n");
  const states = folded.reduce((sum, line) => sum + line.left, 0);
  const left = folded.reduce((sum, line) => sum + Math.max(0, line.text.length - most), 0);
  return (
    <>
      <LineChunk lines={to - from}>
        <AnsiText text={text} />
      </LineChunk>
      {states > 0 && (
        <LeftOutLine words={`${formatPlural(states, "state")} of a progress written over`}>
          <LeftOutButton unfolds onClick={() => setFolded(false)}>
            Show them
          </LeftOutButton>
        </LeftOutLine>
      )}
      {left > 0 && most < MAX_WHOLE_LINE && (
        <LeftOutLine words={`${formatPlural(left, "character")} of long lines left out`}>
          <LeftOutButton unfolds onClick={() => setMost(MAX_WHOLE_LINE)}>
            Show them
          </LeftOutButton>
        </LeftOutLine>
      )}
    </>
  );
});

function cutLine(line: string, most: number): string {
  if (line.length <= most) return line;
  return `${textStart(line, most)} … ${formatPlural(line.length - most, "more character")}`;
}
