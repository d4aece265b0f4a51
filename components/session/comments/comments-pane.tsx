import { useContext } from "react";
import { CommentList, CopyPrompt } from "@/components/annotations/comments-pane";
import { useUnsent } from "@/components/annotations/unsent-comments";
import { PaneFrame } from "@/components/session/panes/pane-frame";
import { COVERS_PAGE } from "@/components/session/panes/pane-sizes";
import { useSessionPage } from "@/components/session/session-store";
import { listsChanges } from "@/components/session/views-of-session";
import { parsePanes } from "@/lib/client/address/session-url";
import { useMedia } from "@/lib/client/use-media";
import { CommentsContext } from "./session-comments";

/** The pane with the session's comments. Where it covers the thread, going to a comment's lines closes it. */
export function CommentsPane({ onClose }: { onClose: () => void }) {
  const { sessionId, store, url } = useSessionPage();
  const comments = useContext(CommentsContext);
  const unsent = useUnsent();
  const coversThread = useMedia(COVERS_PAGE);
  if (!comments?.mayComment) return null;
  const { annotations, isPending, error, shown, renew, guest } = comments;
  const close = () => {
    unsent.dropUntouched();
    onClose();
  };
  return (
    <PaneFrame
      isOwn
      label="Comments"
      onClose={close}
      head={<span className="font-semibold">Comments</span>}
      actions={guest === null && <CopyPrompt annotations={annotations} onChanged={renew} />}
    >
      <CommentList
        sessionId={sessionId}
        guest={guest}
        beside={listsChanges(url) ? "changes" : "thread"}
        annotations={annotations}
        isPending={isPending}
        error={error}
        shown={shown}
        onGo={(record) => {
          if (coversThread) close();
          store.goToRecord(record);
        }}
        onChanged={renew}
      />
    </PaneFrame>
  );
}

/** Whether the pane is open. */
export function showsComments(panes: string | null): boolean {
  return parsePanes(panes).some(({ kind }) => kind === "comments");
}
