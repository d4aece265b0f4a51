import { LiveDot } from "@/components/ui/running-ring";
import { formatCount } from "@/lib/format/format-count";

/** A heading in the list: Running, Today, October. */
export function GroupRow({ label, count, live }: { label: string; count: number | null; live: boolean }) {
  return (
    <div
      role="cell"
      className="flex h-full items-center gap-2 border-b border-line bg-panel px-3 text-12 font-semibold"
    >
      {live ? <LiveDot /> : null}
      <h2>{label}</h2>
      {count === null ? null : (
        <span className="text-11 font-normal text-fg-3 tabular-nums">{formatCount(count)}</span>
      )}
    </div>
  );
}
