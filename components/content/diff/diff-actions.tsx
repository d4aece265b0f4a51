import { useState } from "react";
import { CodeBlock } from "@/components/content/code/code-block";
import { languageOfPath } from "@/components/content/code/highlight-job";
import { LookButton, LookButtons } from "@/components/content/text/look-buttons";
import { usePreferences } from "@/lib/client/preferences";
import { useMedia } from "@/lib/client/use-media";
import { formatPlural } from "@/lib/format/format";
import { LINES_UNKNOWN } from "@/lib/markup/diff-lines";
import type { FileDiff } from "@/lib/wire/record";
import { DiffView, type SideSpans } from "./diff-view";
import type { OriginalText } from "./use-original";

const LAYOUTS = [
  { value: "unified", label: "Unified" },
  { value: "split", label: "Split" },
] as const;

/** Buttons in the bar of a diff: unified or split, and whether whitespace changes count. */
export function DiffActions({ choice }: { choice: DiffChoice }) {
  return (
    <span className="flex flex-none items-center max-sm:hidden print:hidden">
      <LookButtons
        looks={LAYOUTS}
        look={choice.split ? "split" : "unified"}
        onChange={(layout) => choice.setSplit(layout === "split")}
      />
      <LookButton
        pressed={!choice.ignoreSpace}
        title="Show whitespace-only changes"
        onClick={() => choice.setIgnoreSpace(!choice.ignoreSpace)}
      >
        Whitespace
      </LookButton>
    </span>
  );
}

/** What happened to a file: `created, 12 lines`. */
export function formatChange({ change, userModified, replaceAll, places, added }: FileDiff): string {
  if (change === "created") return `created, ${formatPlural(added, "line")}`;
  if (change === "unchanged") return "unchanged";
  const parts = [replaceAll ? formatReplaced(places) : "updated"];
  if (userModified) parts.push("then edited by the user before saving");
  return parts.join(", ");
}

/** One hunk can hold several replacements: their number is known only where the client recorded the file. */
function formatReplaced(places: number | null): string {
  return places === null ? "replaced all" : `replaced all, ${formatPlural(places, "place")}`;
}

type DiffChoice = {
  split: boolean;
  ignoreSpace: boolean;
  setSplit: (split: boolean) => void;
  setIgnoreSpace: (ignore: boolean) => void;
};

/** Below this width, half a line of code is too narrow. */
const SPLIT_WIDTH = "(width >= 1800px)";

/** The reader's choice for this diff, falling back to the preferences. */
export function useDiffChoice(): DiffChoice {
  const { diff, ignoreSpace } = usePreferences();
  const wide = useMedia(SPLIT_WIDTH);
  const [split, setSplit] = useState<boolean | null>(null);
  const [ignore, setIgnoreSpace] = useState<boolean | null>(null);
  return {
    split: split ?? (diff === "split" || (diff === "auto" && wide)),
    ignoreSpace: ignore ?? ignoreSpace,
    setSplit,
    setIgnoreSpace,
  };
}

/** The content of a created file. */
function addedText({ hunks }: FileDiff): string {
  return hunks
    .flatMap(({ lines }) => lines.filter((line) => line[0] === "+").map((line) => line.slice(1)))
    .join("\n");
}

/**
 * What a call did to a file: a created file as code, a change as a diff.
 * @param spans how the whole texts before and after are highlighted; without them the hunks are
 */
export function FileChangeView({
  diff,
  original,
  choice,
  spans,
}: {
  diff: FileDiff;
  original: OriginalText | null;
  choice: DiffChoice;
  spans?: SideSpans | null;
}) {
  if (diff.change === "created") {
    if (diff.added === 0)
      return (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          The file is empty.
        </p>
      );
    return <CodeBlock text={addedText(diff)} firstLine={1} language={languageOfPath(diff.path)} created />;
  }
  if (diff.hunks.length === 0) {
    const words = diff.change === "unchanged" ? "No changes." : LINES_UNKNOWN;
    return <p className="px-3 py-1 text-12 text-fg-3">{words}</p>;
  }
  return (
    <DiffView
      diff={diff}
      original={diff.computed ? null : original}
      split={choice.split}
      ignoreSpace={choice.ignoreSpace}
      whole={spans ?? null}
    />
  );
}
