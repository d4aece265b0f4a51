import { LiveDot } from "@/components/ui/marks";
import { useHealth } from "@/lib/client/use-health";
import { formatPlural } from "@/lib/format/format";

/** The number of watched folders of logs, for a page's foot: nothing until the watches are set. */
export function Watching() {
  const { data, isError } = useHealth();
  if (isError) return <span>Not connected</span>;
  const folders = data?.watching.folders ?? 0;
  if (folders === 0) return null;
  return (
    <span className="flex items-center gap-1.5">
      <LiveDot />
      Watching {formatPlural(folders, "folder")}
    </span>
  );
}
