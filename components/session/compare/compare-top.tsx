import { ArrowLeftRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import type { CompareResponse, SideName } from "@/lib/wire/compare";
import { SideTop } from "./compared-sides";

const LOOKS = [
  { value: false, label: "All rows" },
  { value: true, label: "Only differences" },
] as const;

/** The head of a comparison: which rows are shown, and what its sides are, as soon as that is known. */
export function CompareTop({
  compared,
  lanes,
  onlyDifferent,
  onOnlyDifferent,
  onSwap,
  onBack,
}: {
  compared: CompareResponse | undefined;
  lanes: Record<SideName, number>;
  onlyDifferent: boolean;
  onOnlyDifferent: (only: boolean) => void;
  onSwap: () => void;
  onBack: () => void;
}) {
  return (
    <div className="border-b border-line-2 bg-panel max-md:sticky max-md:top-0 max-md:z-2">
      <div className="flex h-tool items-center gap-2 border-b border-line px-3 text-12 max-sm:px-2">
        <h2 className="font-semibold max-sm:sr-only">Compare</h2>
        {compared && (
          <span className="truncate text-fg-3 tabular-nums max-md:hidden">
            {compared.left.sessionId === compared.right.sessionId
              ? `2 of ${compared.left.branches} branches`
              : "two sessions"}
          </span>
        )}
        <span className="flex-1" />
        <Segmented label="Rows" choices={LOOKS} value={onlyDifferent} onChange={onOnlyDifferent} />
        <Button title="Swap (X)" aria-label="Swap" onClick={onSwap} disabled={!compared}>
          <Icon of={ArrowLeftRight} small />
          <span className="max-sm:hidden">Swap</span>
        </Button>
        <Button onClick={onBack}>
          Back<span className="max-sm:sr-only"> to the thread</span>
        </Button>
      </div>
      {compared && (
        <div className="grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)]">
          <SideTop side={compared.left} name="left" lane={lanes.left} />
          <span className="flex items-center justify-center border-x border-line text-11 text-fg-3">vs</span>
          <SideTop side={compared.right} name="right" lane={lanes.right} />
        </div>
      )}
    </div>
  );
}
