import { FileList } from "@/components/session/outline/file-list";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { PaneFrame } from "./pane-frame";

/** The files that the session changed. */
export function FilesPane({
  sessionId,
  root,
  onGo,
  onClose,
}: {
  sessionId: SessionId;
  root: string | null;
  onGo: (recordId: RecordId) => void;
  onClose: () => void;
}) {
  return (
    <PaneFrame
      label="Files"
      onClose={onClose}
      head={<span className="font-semibold">Files of the session</span>}
    >
      <FileList sessionId={sessionId} root={root} onGo={onGo} />
    </PaneFrame>
  );
}
