import { Progress } from "@/components/ui/progress";
import { useHealth } from "@/lib/client/use-health";
import { formatPercent } from "@/lib/format/format-count";
import { indexingLine, indexingShare } from "./indexing-words";

/** The foot of the left column while the server indexes; nothing afterwards. */
export function IndexingStatus() {
  const health = useHealth().data;
  if (!health || health.indexing.done) return null;
  const share = indexingShare(health.indexing);
  return (
    <div role="status" className="grid gap-1.5 border-t border-line px-3 py-2">
      <div className="flex text-12">
        <span className="flex-1">Indexing, newest first</span>
        <span className="text-fg-2 tabular-nums">{formatPercent(share)}</span>
      </div>
      <Progress share={share} label="Indexing" />
      <div className="text-11 text-fg-3 tabular-nums">{indexingLine(health.indexing, health.pace)}</div>
    </div>
  );
}
