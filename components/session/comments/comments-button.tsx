import { clsx } from "clsx";
import { MessageSquare } from "lucide-react";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useIsGuest } from "@/lib/client/connection/token";
import { formatCount } from "@/lib/format/format";
import { showsComments } from "./comments-pane";
import { useCommentPlaces } from "./session-comments";

/** Opens the pane of comments, and says how many are open. */
export function CommentsButton({ className }: { className?: string }) {
  const { url, store } = useSessionPage();
  const { open, mayComment } = useCommentPlaces();
  const isGuest = useIsGuest();
  if (!mayComment) return null;
  return (
    <Button
      kind="quiet"
      aria-label={open > 0 ? `Comments, ${formatCount(open)} open` : "Comments"}
      title={isGuest ? "Comments (A)" : "Comments and bookmarks (A)"}
      pressed={showsComments(url.panes)}
      className={clsx("min-w-6 justify-center px-1! tabular-nums", className)}
      onClick={store.panes.toggleComments}
    >
      <Icon of={MessageSquare} />
      {open > 0 && formatCount(open)}
    </Button>
  );
}
