import { ArrowDown } from "lucide-react";
import { type PositionStore, usePosition } from "@/components/thread/thread-position";
import { Icon } from "@/components/ui/icon";
import { formatCount } from "@/lib/format/format-count";

/** How many rows have come below what is being read, and the way to them. Stands outside the thread. */
export function NewRowsPill({ position, onEnd }: { position: PositionStore; onEnd: () => void }) {
  const fresh = usePosition(position, (at) => at.fresh);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-5 flex justify-center">
      {fresh > 0 && (
        <button
          type="button"
          onClick={onEnd}
          title="Go to the end and follow (G)"
          className="pointer-events-auto inline-flex h-6 items-center gap-1 rounded-2 border border-accent bg-panel px-2 text-12 text-accent tabular-nums hover:bg-raised"
        >
          <Icon of={ArrowDown} small />
          {formatCount(fresh)} new
        </button>
      )}
    </div>
  );
}
