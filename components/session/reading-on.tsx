import { Progress } from "@/components/ui/progress";
import { useDelayed } from "@/lib/client/use-delayed";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatPercent } from "@/lib/format/format-count";
import type { ScanProgress } from "@/lib/wire/session";

/** Under a thread's beginning: how far the rest is. It takes no room, so that no row moves when it goes. */
export function ReadingOn({ bytesDone, bytesTotal }: ScanProgress["scanning"]) {
  // One that is there in a moment would only flash.
  const isLong = useDelayed(true);
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
  if (!isLong) return null;
  return (
    <div
      role="status"
      className="absolute inset-x-0 bottom-0 z-5 border-line border-t bg-panel text-12 print:hidden"
    >
      <Progress share={share} label="Reading the log" />
      <p className="flex h-7 items-center gap-2 px-3 tabular-nums">
        <span className="min-w-0 flex-1 truncate">
          <span className="font-semibold">The beginning.</span> The rest is being read
        </span>
        <span className="text-fg-2">
          {formatPercent(share)} of {formatBytes(bytesTotal)}
        </span>
      </p>
    </div>
  );
}
