import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Columns2, type LucideIcon } from "lucide-react";
import { useContext } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { sessionQuery } from "@/lib/client/queries";
import { useNow } from "@/lib/client/use-now";
import { formatCount, formatMoment, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ForkBranch } from "@/lib/wire/rows";
import { RowFrame, type RowProps } from "./row-line";

/** A point where the thread branches; the branch being read is marked. */
export function ForkRowView({ row, selected }: RowProps<"fork">) {
  const { switchBranch, compare, sessionId } = useThreadActions();
  const { branches } = row;
  const nowMs = useNow();
  const isMain = useContext(ThreadStoreContext)?.get().choice.agent === null;
  // The session's own number is newer, where a branch has come elsewhere.
  const session = useQuery({ ...sessionQuery(sessionId), enabled: false });
  const count = Math.max(row.count, (isMain && session.data?.counts.branches) || 0);
  const current = branches.findIndex((branch) => branch.current);
  const step = (by: number) => {
    const next = branches[(current + by + branches.length) % branches.length];
    if (next) switchBranch(next.id, row);
  };
  // Beside the branch that is read the one that was begun last.
  const read = branches[current];
  const other = branches.findLast((branch) => branch !== read);
  return (
    <RowFrame node={{ shape: "fork" }} selected={selected} tint="whole">
      <div className="flex h-10 items-center gap-2 overflow-x-auto pr-3 text-12 whitespace-nowrap print:h-auto print:min-h-10 print:flex-wrap">
        <span className="inline-flex h-control flex-none items-center rounded-2 border border-line-3 bg-bg">
          <StepButton icon={ChevronLeft} label="Previous branch" onClick={() => step(-1)} />
          <span className="px-1 font-semibold tabular-nums" title="Branches of this session, oldest first">
            {read?.number} of {count}
          </span>
          <StepButton icon={ChevronRight} label="Next branch" onClick={() => step(1)} />
        </span>
        {branches.map((branch, index) => (
          <BranchButton
            key={branch.id}
            branch={branch}
            lane={index + 1}
            nowMs={nowMs}
            onClick={() => switchBranch(branch.id, row)}
          />
        ))}
        {row.more !== undefined && (
          <span className="flex-none text-fg-3" title="The arrows lead to them, one after the other">
            {formatCount(row.more)} more
          </span>
        )}
        {isMain && compare && read && other && (
          <Button
            kind="quiet"
            data-screen-only
            title="Compare these branches ( = )"
            onClick={() => compare(other.id, read.id)}
          >
            <Icon of={Columns2} small />
            Compare
          </Button>
        )}
      </div>
    </RowFrame>
  );
}

function StepButton({ icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      className="flex h-full w-[22px] items-center justify-center text-fg-2 hover:text-fg print:hidden"
      onClick={onClick}
    >
      <Icon of={icon} small />
    </button>
  );
}

/** A branch by its first prompt. It keeps room for its words and its facts: where there are too many, they scroll. */
function BranchButton({
  branch: { current, endsHere, prompt, rows, atMs },
  lane,
  nowMs,
  onClick,
}: {
  branch: ForkBranch;
  lane: number;
  nowMs: number;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-current={current ? "true" : undefined}
      title={labelHidden(endsHere ? undefined : prompt || undefined)}
      onClick={onClick}
      className={clsx(
        "inline-flex h-control min-w-[calc(120px*var(--u))] items-center gap-1.5 overflow-hidden rounded-2 border px-2 -outline-offset-2! @min-[721px]/thread:min-w-[calc(196px*var(--u))]",
        current ? "border-accent bg-sel font-semibold" : "border-line-2 text-fg-2 hover:bg-raised",
        endsHere && "flex-none",
      )}
    >
      <LaneShape lane={lane} />
      <span className="max-w-[230px] min-w-12 flex-1 truncate text-left">
        {endsHere ? "Ends here" : <VisibleText text={prompt || "No prompt"} />}
      </span>
      <span className="flex-none text-11 font-normal text-fg-3 tabular-nums @max-[720px]/thread:hidden">
        {endsHere ? "the client went back" : formatPlural(rows, "row")}
        {atMs !== null && ` · ${formatMoment(atMs, nowMs)}`}
      </span>
    </button>
  );
}
