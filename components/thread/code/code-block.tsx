import { memo, useMemo } from "react";
import { cx } from "@/lib/client/class-names";
import { CodeLine } from "./code-line";
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
  const steps = useSteps(lines.length);
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
          {lines.slice(0, steps.shown).map((line, index) => (
            <div key={index} className="grid grid-cols-[calc(44px*var(--u))_minmax(0,1fr)]">
              <span className="pr-3 text-right text-11/[18px] text-fg-3 tabular-nums select-none">
                {firstLine !== null && firstLine + index}
              </span>
              <span className="pr-3 whitespace-pre group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap">
                <CodeLine text={line} spans={spans[index]} />
              </span>
            </div>
          ))}
        </div>
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
});
