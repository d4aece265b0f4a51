import { WrapText } from "lucide-react";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { cx } from "@/lib/client/class-names";
import { usePreferences } from "@/lib/client/preferences";
import { CodeLine } from "./code-line";
import { languageOfName } from "./highlight-language-of";
import { ShowMore } from "./show-more";
import { useHighlight } from "./use-highlight";
import { useSteps } from "./use-steps";

/** A block of code inside prose, diagrams and formulas among them: shown as its source. */
export function CodeFence({ text, language }: { text: string; language: string }) {
  const code = text.replace(/\n$/, "");
  const lines = code.split("\n");
  const steps = useSteps(lines.length);
  const spans = useHighlight(code, languageOfName(language));
  const preferred = usePreferences().wrap;
  const [chosen, setWrap] = useState<boolean | null>(null);
  const wrap = chosen ?? preferred;
  const [near, setNear] = useState(false);
  return (
    // Its buttons are made when it is pointed at or a key reaches it: a thread holds many.
    <div
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      className="group/fence relative rounded-2 bg-raised py-1.5 font-mono text-code"
    >
      {near && <FenceTools code={code} language={language} wrap={wrap} onWrap={setWrap} />}
      <pre
        className={cx(
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

/** Over the code's right end, while it is pointed at or holds the focus. */
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
    <div className="absolute top-1 right-1 flex items-center rounded-2 border border-line-2 bg-panel pl-2 font-sans text-11 text-fg-2 opacity-0 group-focus-within/fence:opacity-100 group-hover/fence:opacity-100 print:hidden">
      {language && (
        <span className="max-w-40 truncate pr-1">
          <VisibleText text={language} />
        </span>
      )}
      <IconButton
        icon={WrapText}
        small
        className="h-5"
        label={wrap ? "Do not wrap lines" : "Wrap lines"}
        pressed={wrap}
        onClick={() => onWrap(!wrap)}
      />
      <CopyButton className="h-5" text={code} label="Copy code" />
    </div>
  );
}
