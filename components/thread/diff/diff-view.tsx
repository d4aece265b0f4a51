import { memo, useMemo } from "react";
import { cx } from "@/lib/client/class-names";
import type { LineSpans } from "@/lib/client/highlight-job";
import { languageOfPath } from "@/lib/client/highlight-language-of";
import type { FileDiff } from "@/lib/wire/record";
import { CodeLine } from "../code/code-line";
import { ShowMore } from "../code/show-more";
import { useHighlight } from "../code/use-highlight";
import { useSteps } from "../code/use-steps";
import { type DiffLine, diffLines, sideTexts } from "./diff-lines";

/** A file's change, unified: numbers, signs, syntax, and the words that differ. */
export function DiffView({ diff }: { diff: FileDiff }) {
  const lines = useMemo(() => diffLines(diff.hunks, !diff.computed), [diff]);
  const { before, after } = useMemo(() => sideTexts(diff.hunks), [diff]);
  const language = languageOfPath(diff.path);
  const beforeSpans = useHighlight(before, language);
  const afterSpans = useHighlight(after, language);
  const steps = useSteps(lines.length);
  return (
    <>
      <div tabIndex={0} className="overflow-x-auto py-1 font-mono text-code">
        <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
          {lines.slice(0, steps.shown).map((line, index) => (
            <Line
              key={index}
              line={line}
              spans={
                "sideLine" in line
                  ? (line.kind === "removed" ? beforeSpans : afterSpans)[line.sideLine]
                  : undefined
              }
            />
          ))}
        </div>
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

const GRID = "grid grid-cols-[36px_36px_20px_minmax(0,1fr)] max-sm:grid-cols-[20px_minmax(0,1fr)]";
const GUTTER = "pr-2 text-right text-11/[18px] text-fg-3 tabular-nums select-none max-sm:hidden";
const TEXT =
  "whitespace-pre pr-3 group-data-[wrap=true]/opened:whitespace-pre-wrap group-data-[wrap=true]/opened:[overflow-wrap:anywhere]";

const Line = memo(function Line({ line, spans }: { line: DiffLine; spans: LineSpans | undefined }) {
  if (line.kind === "hunk" || line.kind === "note") {
    return (
      <div className={cx(GRID, "bg-panel text-fg-3")}>
        <span className="max-sm:hidden" />
        <span className="max-sm:hidden" />
        <span />
        <span className={TEXT}>{line.text}</span>
      </div>
    );
  }
  const look = LOOKS[line.kind];
  // A number that is not known is a dot; a side without the line is empty.
  const unknown = line.oldLine === null && line.newLine === null ? "·" : "";
  return (
    <div className={cx(GRID, look.ground)}>
      <span className={GUTTER}>{line.oldLine ?? (line.kind === "added" ? "" : unknown)}</span>
      <span className={GUTTER}>{line.newLine ?? (line.kind === "removed" ? "" : unknown)}</span>
      <span className={cx("text-center select-none", look.sign)}>{look.mark}</span>
      <span className={TEXT}>
        <CodeLine text={line.text} spans={spans} marks={line.marks} markClass={look.word} />
      </span>
    </div>
  );
});

const LOOKS = {
  context: { ground: "", sign: "", mark: "", word: "" },
  added: { ground: "bg-add-bg", sign: "text-add-fg", mark: "+", word: "bg-add-w" },
  removed: { ground: "bg-del-bg", sign: "text-del-fg", mark: "−", word: "bg-del-w" },
};
