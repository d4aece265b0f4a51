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
