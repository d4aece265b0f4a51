import { useMemo } from "react";
import { AnsiText } from "../ansi/ansi-text";
import { ShowMore } from "./show-more";
import { useSteps } from "./use-steps";

/** Lines longer than this are cut with a word about it: layout of one huge line freezes the page. */
const LINE_CHARACTERS = 5_000;
/** Lines drawn as one piece of text; a style that spans them goes on. */
const CHUNK_LINES = 50;

/** Terminal output, opened in steps. */
export function OutputText({ text, isError = false }: { text: string; isError?: boolean }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const steps = useSteps(lines.length);
  const chunks = useMemo(() => {
    const shown = lines.slice(0, steps.shown).map(cutLine);
    const count = Math.ceil(shown.length / CHUNK_LINES);
    return Array.from({ length: count }, (_, n) =>
      shown.slice(n * CHUNK_LINES, (n + 1) * CHUNK_LINES).join("\n"),
    );
  }, [lines, steps.shown]);
  return (
    <>
      <pre
        tabIndex={0}
        className={`overflow-x-auto px-3 py-1.5 font-mono text-code group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap ${isError ? "text-err" : ""}`}
      >
        {chunks.map((chunk, index) => (
          <div key={index}>
            <AnsiText text={chunk} />
          </div>
        ))}
      </pre>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

function cutLine(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  return `${line.slice(0, LINE_CHARACTERS)} … ${(line.length - LINE_CHARACTERS).toLocaleString("en")} more characters`;
}
