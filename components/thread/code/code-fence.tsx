import { languageOfName } from "@/lib/client/highlight-language-of";
import { CodeLine } from "./code-line";
import { ShowMore } from "./show-more";
import { useHighlight } from "./use-highlight";
import { useSteps } from "./use-steps";

/** A block of code inside prose. */
export function CodeFence({ text, language }: { text: string; language: string }) {
  const code = text.replace(/\n$/, "");
  const lines = code.split("\n");
  const steps = useSteps(lines.length);
  const spans = useHighlight(code, languageOfName(language));
  return (
    <div className="rounded-2 bg-raised py-1.5 font-mono text-code">
      <pre className="overflow-x-auto px-3 font-mono" tabIndex={0}>
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
