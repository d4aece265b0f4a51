import { CodeBlock } from "@/components/content/code/code-block";
import { languageOfPath } from "@/components/content/code/highlight-language-of";
import type { FileDiff } from "@/lib/wire/record";
import { DiffView } from "./diff-view";
import { addedText } from "./patch-text";
import type { DiffChoice } from "./use-diff-choice";
import type { Original } from "./use-original";

/** What a call did to a file: a new file as code, a change as a diff. */
export function FileChange({
  diff,
  original,
  choice,
}: {
  diff: FileDiff;
  original: Original | null;
  choice: DiffChoice;
}) {
  if (diff.change === "created") {
    return <CodeBlock text={addedText(diff)} firstLine={1} language={languageOfPath(diff.path)} created />;
  }
  if (diff.hunks.length === 0) {
    return <p className="px-3 py-1 text-12 text-fg-3">The file was written unchanged.</p>;
  }
  return (
    <DiffView
      diff={diff}
      original={diff.computed ? null : original}
      split={choice.split}
      ignoreSpace={choice.ignoreSpace}
    />
  );
}
