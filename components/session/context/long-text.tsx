import { useState } from "react";
import { Markdown } from "@/components/content/markdown/markdown";
import { clip } from "@/lib/format/clip";
import { formatCount } from "@/lib/format/format-count";

const STEP_CHARACTERS = 6_000;

/** Prose of any length as Markdown, opened in steps: one long text laid out at once would block the page. */
export function LongText({ text, className }: { text: string; className?: string }) {
  const [shown, setShown] = useState(STEP_CHARACTERS);
  const left = text.length - shown;
  return (
    <div className={className}>
      <Markdown text={left > 0 ? clip(text, shown) : text} />
      {left > 0 && (
        <button
          type="button"
          className="mt-1 text-12 text-accent hover:underline"
          onClick={() => setShown(shown + STEP_CHARACTERS * 4)}
        >
          {formatCount(left)} more characters
        </button>
      )}
    </div>
  );
}
