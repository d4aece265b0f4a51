import { usePaneSizes } from "@/components/session/panes/pane-sizes";
import { Splitter } from "@/components/session/panes/splitters";
import { useSessionPage } from "@/components/session/session-store";
import { CommentsPane, showsComments } from "./comments-pane";
import { useCommentPlaces } from "./session-comments";

/** The session's comments beside what stands in the thread's place, where they are open. */
export function CommentsBeside() {
  const { url, store } = useSessionPage();
  const { sizes, resize, keep } = usePaneSizes();
  const { mayComment } = useCommentPlaces();
  if (!mayComment || !showsComments(url.panes)) return null;
  return (
    <div className="flex min-h-0 max-md:contents">
      <Splitter
        label="Width of the comments"
        widthPx={sizes.facts}
        onResize={(facts) => resize({ facts })}
        onEnd={keep}
      />
      <div className="flex min-h-0 flex-none flex-col max-md:contents" style={{ width: sizes.facts }}>
        <CommentsPane onClose={() => store.panes.close({ kind: "comments", id: "" })} />
      </div>
    </div>
  );
}
