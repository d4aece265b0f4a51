import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type CommentDraft, draftOf, draftOfSelection } from "@/components/annotations/comment-draft";
import { CommentList, CopyPrompt } from "@/components/annotations/comments-pane";
import { toggleBookmark } from "@/components/annotations/organise";
import {
  type AnnotatedRow,
  blockKeysOf,
  groupByPlace,
  RowAnnotationsContext,
} from "@/components/annotations/row-annotations";
import { UnsentComments, UnsentContext, useUnsent } from "@/components/annotations/unsent-comments";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { toast } from "@/components/ui/toast";
import { parsePanes } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { useIsGuest } from "@/lib/client/connection/token";
import { useKeys } from "@/lib/client/key-registry";
import { usePreferences } from "@/lib/client/preferences";
import { useShared } from "@/lib/client/use-health";
import { useMedia } from "@/lib/client/use-media";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { PaneFrame } from "./panes/agent-pane";
import { COVERS_PAGE } from "./panes/pane-sizes";
import { useSessionPage } from "./session-store";
import { listsChanges } from "./views-of-session";

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

const CommentsContext = createContext<Comments | null>(null);
const NONE: readonly Annotation[] = [];

/**
 * A session's comments and bookmarks for its rows and for the pane beside them; with their keys. A guest has no bookmarks,
 * and comments where their link is for that.
 */
export function SessionComments({ children }: { children: ReactNode }) {
  const { sessionId, store } = useSessionPage();
  const isGuest = useIsGuest();
  const { guestName } = usePreferences();
  const mayComment = useShared()?.comments === true || !isGuest;
  const client = useQueryClient();
  const { data, isPending, error } = useQuery({
    queryKey: ["annotations", sessionId],
    queryFn: ({ signal }) => api.annotations(sessionId, ["comment", "bookmark"], { signal }),
    enabled: mayComment,
    staleTime: 60_000,
  });
  const annotations = data?.annotations ?? NONE;
  const [unsent] = useState(() => new UnsentComments(sessionId));
  useEffect(() => unsent.keep(), [unsent]);
  const [shown, setShown] = useState<RecordId | null>(null);
  const places = useMemo(() => groupByPlace(annotations), [annotations]);
  const renew = useMemo(
    () => () => void client.invalidateQueries({ queryKey: ["annotations", sessionId] }),
    [client, sessionId],
  );
  const rows = useMemo(() => {
    const write = (next: CommentDraft) => {
      unsent.begin(next);
      store.panes.show({ kind: "comments", id: "" });
    };
    const bookmark = (row: AnnotatedRow) => void toggleBookmark(sessionId, row).then(renew);
    return {
      places,
      write,
      toggleBookmark: isGuest ? null : bookmark,
      comment: (row: AnnotatedRow, about?: string) => {
        const selected = draftOfSelection();
        const [there] = selected ? [] : blockKeysOf(places, row).flatMap(({ threads }) => threads);
        if (!there) return write(selected?.draft ?? draftOf(row, about));
        setShown(there.begins.target.recordId);
        store.panes.show({ kind: "comments", id: "" });
      },
    };
  }, [places, unsent, store, sessionId, renew, isGuest]);
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

/** The keys that comment on the selected row or text, bookmark a row, and show the comments. */
function useCommentKeys(
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

/** A button beside text that was selected with the pointer. */
function SelectionButton({ onWrite }: { onWrite: (draft: CommentDraft) => void }) {
  const { store } = useSessionPage();
  const [at, setAt] = useState<{ left: number; top: number } | null>(null);
  useEffect(() => {
    const look = () => {
      const found = store.views.takesComments() ? draftOfSelection() : null;
      setAt(
        found && { left: Math.min(found.rect.right, window.innerWidth - 120), top: found.rect.bottom + 4 },
      );
    };
    const hide = () => setAt(null);
    const clear = () => window.getSelection()?.isCollapsed !== false && hide();
    document.addEventListener("pointerup", look);
    document.addEventListener("selectionchange", clear);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("pointerup", look);
      document.removeEventListener("selectionchange", clear);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, [store]);
  if (!at) return null;
  return (
    <Button
      style={at}
      className="fixed z-20 shadow-overlay"
      // The selection would go with the press.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        const found = draftOfSelection();
        setAt(null);
        if (found) onWrite(found.draft);
      }}
    >
      <Icon of={MessageSquarePlus} small />
      Comment
    </Button>
  );
}

/** Whether text of a file's net diff is selected: no single call made it. */
function isInNetDiff(): boolean {
  const node = window.getSelection()?.anchorNode;
  const element = node instanceof Element ? node : node?.parentElement;
  return Boolean(element?.closest("[data-net]"));
}

/** Whether the pane is open. */
export function showsComments(panes: string | null): boolean {
  return parsePanes(panes).some(({ kind }) => kind === "comments");
}
