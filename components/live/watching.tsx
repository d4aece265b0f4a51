import { LiveDot } from "@/components/ui/marks";
import { useLastKnown } from "@/lib/client/connection/last-known";
import { useHealth } from "@/lib/client/use-health";
import { formatPlural } from "@/lib/format/format";

/** The number of watched folders of logs, for a page's foot: nothing until the watches are set, and no number while the server is lost. */
export function Watching() {
  const { data, isError } = useHealth();
  const isLost = useLastKnown() !== null;
  if (isError || isLost) return <span>Not connected</span>;
  const folders = data?.watching.folders ?? 0;
  if (folders === 0) return null;
  return (
    <span className="flex items-center gap-1.5">
      <LiveDot />
      Watching {formatPlural(folders, "folder")}
    </span>
  );
}
