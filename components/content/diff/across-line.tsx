import { ChevronDown, ChevronsUpDown, ChevronUp, Link } from "lucide-react";
import { useBroughtIntoView, useOpenedPlace, usePlaceActions } from "@/components/content/line-selection";
import { Icon } from "@/components/ui/icon";
import { cx } from "@/lib/client/class-names";
import { formatCount } from "@/lib/format/format-count";
import type { CodeDiffLine, DiffLine } from "./diff-line";

/** A line that stands across both sides: a hunk's head, lines not shown, a note of the patch. */
export function AcrossLine({
  line,
  onGap,
}: {
  line: Exclude<DiffLine, CodeDiffLine>;
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
}) {
  if (line.kind === "gap") return <Gap line={line} onGap={onGap} />;
  if (line.kind === "hunk") return <HunkLine line={line} />;
  return <div className="bg-panel pl-[92px] text-fg-3 max-sm:pl-5">{line.text}</div>;
}

function HunkLine({ line }: { line: Extract<DiffLine, { kind: "hunk" }> }) {
  const { hunk, linked } = useOpenedPlace();
  const actions = usePlaceActions();
  const marked = hunk === line.hunk;
  const element = useBroughtIntoView<HTMLDivElement>(marked && linked);
  return (
    <div
      ref={element}
      data-hunk={line.hunk}
      data-marked={marked || undefined}
      className={cx(
        "group/hunk flex items-center gap-2 pl-[92px] text-fg-3 max-sm:pl-5",
        marked ? "bg-sel shadow-[inset_2px_0_0_var(--accent)]" : "bg-panel",
      )}
    >
      {line.text}
      {actions && (
        <button
          type="button"
          aria-label={`Copy link to hunk ${line.hunk}`}
          title={`Copy link to hunk ${line.hunk}`}
          className="flex rounded-1 opacity-0 group-hover/hunk:opacity-100 hover:text-fg focus-visible:opacity-100"
          onClick={() => actions.copyHunkLink(line.hunk)}
        >
          <Icon of={Link} small />
        </button>
      )}
    </div>
  );
}

const FEW_LINES = 30;

function Gap({
  line,
  onGap,
}: {
  line: Extract<DiffLine, { kind: "gap" }>;
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
}) {
  const button = "flex items-center gap-1 rounded-1 bg-panel px-1 hover:text-fg hover:underline";
  return (
    <div className="hatch flex h-[18px] items-center gap-2 pl-[84px] font-sans text-11 text-fg-3 tabular-nums max-sm:pl-1">
      {line.count <= FEW_LINES ? (
        <button type="button" className={button} onClick={() => onGap(line.oldLine, "all")}>
          <Icon of={ChevronsUpDown} small />
          {formatCount(line.count)} unchanged {line.count === 1 ? "line" : "lines"}
        </button>
      ) : (
        <>
          <button type="button" className={button} onClick={() => onGap(line.oldLine, "top")}>
            <Icon of={ChevronDown} small />
            20 more
          </button>
          <button type="button" className={button} onClick={() => onGap(line.oldLine, "bottom")}>
            <Icon of={ChevronUp} small />
            20 above
          </button>
          <button type="button" className={button} onClick={() => onGap(line.oldLine, "all")}>
            all {formatCount(line.count)} unchanged lines
          </button>
        </>
      )}
    </div>
  );
}
