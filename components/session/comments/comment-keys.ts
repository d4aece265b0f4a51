import { type CommentDraft, draftOf, draftOfSelection } from "@/components/annotations/comment-draft";
import type { AnnotatedRow } from "@/components/annotations/row-annotations";
import { useSessionPage } from "@/components/session/session-store";
import { toast } from "@/components/ui/toast";
import { useIsGuest } from "@/lib/client/connection/token";
import { useKeys } from "@/lib/client/key-registry";
import type { Row } from "@/lib/wire/rows";

/** The keys that comment on the selected row or text, bookmark a row, and show the comments. */
export function useCommentKeys(
  rows: { write: (draft: CommentDraft) => void; toggleBookmark: ((row: AnnotatedRow) => void) | null },
  mayComment: boolean,
): void {
  const { store } = useSessionPage();
  const isGuest = useIsGuest();
  const when = () => mayComment && store.views.takesComments();
  const withRow = (use: (row: Row) => void) => () => {
    const row = store.atHand.get().selected()?.row;
    if (row) use(row);
    else toast("Select a row first (j and k move)");
  };
  useKeys([
    {
      keys: ["a"],
      label: "comment on the row, or on what is selected",
      group: "Mark and organise",
      when,
      run: () => {
        const selected = draftOfSelection();
        if (selected) rows.write(selected.draft);
        else if (isInNetDiff())
          toast("Comments stand on single changes: turn off Net diff, then select text");
        else if (store.views.isCovered()) toast("Select some text of a change first");
        else withRow((row) => rows.write(draftOf(row)))();
      },
    },
    {
      keys: ["m"],
      label: "bookmark",
      group: "Mark and organise",
      when: () => rows.toggleBookmark !== null && mayComment && !store.views.isCovered(),
      run: withRow((row) => rows.toggleBookmark?.(row)),
    },
    {
      keys: ["A"],
      label: isGuest ? "comments" : "comments and bookmarks",
      group: "Views and panes",
      when,
      run: store.panes.toggleComments,
    },
  ]);
}

/** Whether text of a file's net diff is selected: no single call made it. */
function isInNetDiff(): boolean {
  const node = window.getSelection()?.anchorNode;
  const element = node instanceof Element ? node : node?.parentElement;
  return Boolean(element?.closest("[data-net]"));
}
