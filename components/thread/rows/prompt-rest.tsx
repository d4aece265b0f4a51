import { useState } from "react";
import { CodeFence } from "@/components/content/code/code-fence";
import { Markdown } from "@/components/content/markdown/markdown";
import { Chevron } from "@/components/ui/chevron";
import { formatPlural } from "@/lib/format/format-count";
import { splitPrompt } from "./split-prompt";

/** What a prompt's header has no room for: its further lines, and what was pasted into it, folded. */
export function PromptRest({ prompt }: { prompt: string }) {
  return splitPrompt(prompt).rest.map(({ pasted, text }, index) =>
    // Parts of one prompt never change places.
    pasted ? <Paste key={index} text={text} /> : <Markdown key={index} text={text} className="text-fg-2" />,
  );
}

function Paste({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="max-w-measure not-first:mt-1.5">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1 rounded-1 text-12 text-fg-2 hover:text-fg"
      >
        <Chevron open={open} />
        Pasted text
        <span className="text-fg-3 tabular-nums">{formatPlural(text.trim().split("\n").length, "line")}</span>
      </button>
      {open && (
        <div className="mt-1">
          <CodeFence text={text} language="" />
        </div>
      )}
    </div>
  );
}
