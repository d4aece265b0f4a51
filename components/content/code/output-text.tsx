import { memo, useMemo } from "react";
import { AnsiText } from "@/components/content/ansi/ansi-text";
import { CHUNK_LINES, LineChunk, ShowMore, useSteps } from "./code-line";

/** Longer lines are truncated with a note: laying out one huge line freezes the page. */
const MAX_LINE_CHARACTERS = 5_000;
const FIRST_LINES = 100;

/** Terminal output, revealed in steps. An ANSI style carries over to following lines only within one chunk. */
export const OutputText = memo(function OutputText({
  text,
  isError = false,
}: {
  text: string;
  isError?: boolean;
}) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const steps = useSteps(lines.length, FIRST_LINES);
  return (
    <>
      <pre
        tabIndex={0}
        className={`overflow-x-auto px-3 py-1.5 font-mono text-code group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap ${isError ? "text-err" : ""}`}
      >
        {Array.from({ length: Math.ceil(steps.shown / CHUNK_LINES) }, (_, chunk) => (
          <OutputChunk
            key={chunk}
            lines={lines}
            from={chunk * CHUNK_LINES}
            to={Math.min(steps.shown, (chunk + 1) * CHUNK_LINES)}
          />
        ))}
      </pre>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
});

const OutputChunk = memo(function OutputChunk({
  lines,
  from,
  to,
}: {
  lines: readonly string[];
  from: number;
  to: number;
}) {
  const text = lines.slice(from, to).map(cutLine).join("\n");
  return (
    <LineChunk lines={to - from}>
      <AnsiText text={text} />
    </LineChunk>
  );
});

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)} … ${(line.length - MAX_LINE_CHARACTERS).toLocaleString("en")} more characters`;
}
