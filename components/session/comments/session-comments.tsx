import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { type CommentDraft, draftOf, draftOfSelection } from "@/components/annotations/comment-draft";
import { toggleBookmark } from "@/components/annotations/organise";
import { type AnnotatedRow, RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { UnsentComments, UnsentContext } from "@/components/annotations/unsent-comments";
import { useSessionPage } from "@/components/session/session-store";
import { api } from "@/lib/client/api";
import { useIsGuest } from "@/lib/client/connection/token";
import { usePreferences } from "@/lib/client/preferences";
import { useShared } from "@/lib/client/use-health";
import type { Annotation } from "@/lib/wire/annotations";
import { groupByPlace, marksOfRow } from "@/lib/wire/comment-threads";
import type { RecordId } from "@/lib/wire/ids";
import { useCommentKeys } from "./comment-keys";
import { SelectionButton } from "./selection-button";

type Comments = {
  annotations: readonly Annotation[];
  isPending: boolean;
  error: Error | null;
  shown: RecordId | null;
  renew: () => void;
  mayComment: boolean;
  /** What the reader is called who was given a link; `null` for the owner. */
  guest: string | null;
};

/** What `SessionComments` knows of the comments; `null` outside of it. */
export const CommentsContext = createContext<Comments | null>(null);
const NONE: readonly Annotation[] = [];

/**
 * A session's comments and bookmarks for its rows and for the pane beside them; with their keys. A guest has no bookmarks,
 * and comments where their link is for that.
 */
export function SessionComments({ children }: { children: ReactNode }) {
  const { sessionId } = useSessionPage();
  const isGuest = useIsGuest();
  const { guestName } = usePreferences();
  const mayComment = useShared()?.comments === true || !isGuest;
  const { annotations, isPending, error, renew } = useAnnotations(mayComment);
  const [unsent] = useState(() => new UnsentComments(sessionId));
  useEffect(() => unsent.keep(), [unsent]);
  const [shown, setShown] = useState<RecordId | null>(null);
  const rows = useRowAnnotations(annotations, { unsent, renew, onShow: setShown });
  useCommentKeys(rows, mayComment);
  const comments = useMemo(
    () => ({ annotations, isPending, error, shown, renew, mayComment, guest: isGuest ? guestName : null }),
    [annotations, isPending, error, shown, renew, mayComment, isGuest, guestName],
  );
  return (
    <CommentsContext value={comments}>
      <UnsentContext value={unsent}>
        <RowAnnotationsContext value={mayComment ? rows : null}>
          {children}
          {mayComment && <SelectionButton onWrite={rows.write} />}
        </RowAnnotationsContext>
      </UnsentContext>
    </CommentsContext>
  );
}

/** The session's comments and bookmarks as the server has them, and what asks for them again. */
function useAnnotations(mayComment: boolean) {
  const { sessionId } = useSessionPage();
  const client = useQueryClient();
  const { data, isPending, error } = useQuery({
    queryKey: ["annotations", sessionId],
    queryFn: ({ signal }) => api.annotations(sessionId, ["comment", "bookmark"], { signal }),
    enabled: mayComment,
    staleTime: 60_000,
  });
  const renew = useCallback(
    () => void client.invalidateQueries({ queryKey: ["annotations", sessionId] }),
    [client, sessionId],
  );
  return { annotations: data?.annotations ?? NONE, isPending, error, renew };
}

/** What rows have of comments and bookmarks, and what adds to them; a row's comment that is there already is shown. */
function useRowAnnotations(
  annotations: readonly Annotation[],
  {
    unsent,
    renew,
    onShow,
  }: { unsent: UnsentComments; renew: () => void; onShow: (record: RecordId | null) => void },
) {
  const { sessionId, store } = useSessionPage();
  const isGuest = useIsGuest();
  const places = useMemo(() => groupByPlace(annotations), [annotations]);
  return useMemo(() => {
    const write = (next: CommentDraft) => {
      unsent.begin(next);
      store.panes.show({ kind: "comments", id: "" });
    };
    const bookmark = (row: AnnotatedRow) => void toggleBookmark(sessionId, row).then(renew);
    return {
      places,
      isOwners: !isGuest,
      mayAdd: true,
      write,
      toggleBookmark: isGuest ? null : bookmark,
      comment: (row: AnnotatedRow, about?: string) => {
        const selected = draftOfSelection();
        const [there] = selected ? [] : marksOfRow(places, row).flatMap(({ threads }) => threads);
        if (!there) return write(selected?.draft ?? draftOf(row, about));
        onShow(there.begins.target.recordId);
        store.panes.show({ kind: "comments", id: "" });
      },
    };
  }, [places, unsent, store, sessionId, renew, isGuest, onShow]);
}

/**
 * Whether the reader has the session's comments; how many are open, as the library says it, those on lines that are gone
 * too; and the records that are marked in the minimap.
 */
export function useCommentPlaces(): { mayComment: boolean; open: number; records: readonly RecordId[] } {
  const { annotations = NONE, mayComment = false } = useContext(CommentsContext) ?? {};
  return useMemo(() => {
    const begun = annotations.filter(({ replyTo }) => replyTo === null);
    const open = begun.filter(({ kind, resolvedAtMs }) => kind === "comment" && resolvedAtMs === null);
    const there = begun.filter(({ state }) => state !== "detached");
    const records = new Set(there.flatMap(({ target }) => (target.recordId ? [target.recordId] : [])));
    return { mayComment, open: open.length, records: [...records] };
  }, [annotations, mayComment]);
}
