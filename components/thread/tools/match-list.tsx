import { useMemo } from "react";
import { CodeLine } from "@/components/content/code/code-line";
import { ShowMore } from "@/components/content/code/show-more";
import { useSteps } from "@/components/content/code/use-steps";
import { CopyPlace } from "@/components/content/text/copy-place";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { type MatchGroup, type MatchLine, matchGroups } from "./grep-matches";
import { TreeGroup } from "./tree-line";
import type { MarkText } from "./use-pattern-marks";

/** Lines that a search found, under their files, with what matched marked. */
export function MatchList({ text, root, marks }: { text: string; root: string | null; marks: MarkText }) {
  const groups = useMemo(() => matchGroups(text), [text]);
  const total = groups.reduce((sum, group) => sum + group.lines.length, 0);
  const steps = useSteps(total, 200);
  const shown = firstLines(groups, steps.shown);
  return (
    <>
      <div className="overflow-x-auto py-1" tabIndex={0}>
        {shown.map(({ path, lines }, index) =>
          path === null ? (
            <Lines key={index} lines={lines} path={null} marks={marks} />
          ) : (
            <TreeGroup
              key={index}
              label={<VisibleText text={shortenPath(path, root)} />}
              count={lines.filter(({ context }) => !context).length}
            >
              <Lines lines={lines} path={shortenPath(path, root)} marks={marks} />
            </TreeGroup>
          ),
        )}
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

function Lines({
  lines,
  path,
  marks,
}: {
  lines: readonly MatchLine[];
  path: string | null;
  marks: MarkText;
}) {
  return lines.map(({ line, text, context }, index) => (
    <div
      key={index}
      className="grid grid-cols-[calc(58px*var(--u))_minmax(0,1fr)] font-mono text-code/[22px] whitespace-pre"
    >
      <span className="pr-3 text-right text-11/[22px] text-fg-3 tabular-nums select-none">
        {line !== null && <CopyPlace path={path} line={line} />}
      </span>
      <span className={context ? "text-fg-3" : ""}>
        <CodeLine text={text} marks={context ? [] : marks(text)} markClass="bg-hit" />
      </span>
    </div>
  ));
}

function firstLines(groups: readonly MatchGroup[], count: number): MatchGroup[] {
  let left = count;
  return groups.flatMap(({ path, lines }) => {
    if (left <= 0) return [];
    const kept = lines.slice(0, left);
    left -= kept.length;
    return [{ path, lines: kept }];
  });
}
