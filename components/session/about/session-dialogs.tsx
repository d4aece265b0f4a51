import { useQuery } from "@tanstack/react-query";
import { Dialog } from "@/components/ui/dialog";
import { DetailState } from "@/components/ui/states";
import { sessionQuery } from "@/lib/client/queries";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { AboutDialog } from "./about-dialog";
import { ExportDialog } from "./export-dialog";
import type { ReadBranch, ReadSelection } from "./export-part";

/** The dialogs of a session, of which one is open or none. A part of the page of its own (`session-parts.ts`). */
export function SessionDialogs({
  session,
  branch,
  selection,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  branch: ReadBranch;
  /** The rows that are selected, while the export is open. */
  selection: ReadSelection | null;
  open: "about" | "export" | null;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <>
      <AboutDialog session={session} open={open === "about"} onOpenChange={onOpenChange} />
      <ExportDialog
        session={session}
        branch={branch}
        selection={selection}
        open={open === "export"}
        onOpenChange={onOpenChange}
      />
    </>
  );
}

/** The dialog about a session that a page lists among others; its facts are asked for when it opens. */
export function AboutListedSession({ id, onClose }: { id: SessionId; onClose: () => void }) {
  const query = useQuery(sessionQuery(id));
  const onOpenChange = (open: boolean) => !open && onClose();
  if (query.data) return <AboutDialog session={query.data} open onOpenChange={onOpenChange} />;
  return (
    <Dialog title="About this session" open onOpenChange={onOpenChange}>
      <div className="p-3">
        <DetailState query={query} />
      </div>
    </Dialog>
  );
}
