import { FolderDown } from "lucide-react";
import { useSessionPage } from "@/components/session/session-store";
import { IconButton } from "@/components/ui/button";
import { toastFailure } from "@/components/ui/toast";
import { downloadExport } from "@/lib/client/download-export";

/**
 * Takes all files that the session changed in its project out of the logs, as they were at one point, as a zip.
 * @param at gives a record, or a version of a file; `null` is how they ended
 * @param label says at which point
 */
export function SaveFiles({
  at,
  label,
  className,
}: {
  at: () => string | null;
  label: string;
  className?: string;
}) {
  const { sessionId } = useSessionPage();
  const save = () => {
    const point = at();
    const query = point === null ? "" : `at=${point}`;
    downloadExport(`/api/sessions/${encodeURIComponent(sessionId)}/changed-files?${query}`).catch(
      (error: unknown) => toastFailure(error, "The download failed"),
    );
  };
  return <IconButton icon={FolderDown} small label={label} className={className} onClick={save} />;
}
