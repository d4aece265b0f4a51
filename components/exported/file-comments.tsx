import { MessageSquare } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { CommentQuote, CommentText } from "@/components/annotations/comment-text";
import { type RowAnnotations, RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { PaneFrame } from "@/components/session/panes/pane-frame";
import { COVERS_PAGE } from "@/components/session/panes/pane-sizes";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { parsePanes } from "@/lib/client/address/session-url";
import { useKeys } from "@/lib/client/key-registry";
import { useMedia } from "@/lib/client/use-media";
import { formatCount, formatPlural } from "@/lib/format/format";
import { byPlace, type CommentThread, groupByPlace, marksOfRow, threadsOf } from "@/lib/wire/comment-threads";
import type { RecordId } from "@/lib/wire/ids";
import type { ExportedFile } from "./exported-file";

type ToldComments = {
  threads: readonly CommentThread[];
  /** The record from whose row the reader came. */
  shown: RecordId | null;
};

const FileCommentsContext = createContext<ToldComments>({ threads: [], shown: null });

/** The comments that a file was made with, for its rows and for the pane beside them; with their key. */
export function FileComments({ file, children }: { file: ExportedFile; children: ReactNode }) {
  const { store } = useSessionPage();
  const { comments } = file.session;
  const [shown, setShown] = useState<RecordId | null>(null);
  const told = useMemo(
    () => ({
      threads: threadsOf(comments).toSorted((one, other) => byPlace(one.begins, other.begins)),
      shown,
    }),
    [comments, shown],
  );
  const rows = useMemo((): RowAnnotations => {
    const places = groupByPlace(comments);
    return {
      places,
      isOwners: false,
      mayAdd: false,
      toggleBookmark: null,
      comment: (row) => {
        const [there] = marksOfRow(places, row).flatMap(({ threads }) => threads);
        setShown(there?.begins.target.recordId ?? null);
        store.panes.show({ kind: "comments", id: "" });
      },
    };
  }, [comments, store]);
  const has = comments.length > 0;
  useKeys(
    has
      ? [{ keys: ["A"], label: "comments", group: "Views and panes", run: store.panes.toggleComments }]
      : [],
  );
  return (
    <FileCommentsContext value={told}>
      <RowAnnotationsContext value={has ? rows : null}>{children}</RowAnnotationsContext>
    </FileCommentsContext>
  );
}

/** Opens the pane of comments; nothing in a file without any. */
export function FileCommentsButton() {
  const { url, store } = useSessionPage();
  const { threads } = useContext(FileCommentsContext);
  if (threads.length === 0) return null;
  return (
    <Button
      kind="quiet"
      aria-label={formatPlural(threads.length, "comment")}
      title="Comments (A)"
      pressed={parsePanes(url.panes).some(({ kind }) => kind === "comments")}
      className="min-w-6 justify-center px-1! tabular-nums"
      onClick={store.panes.toggleComments}
    >
      <Icon of={MessageSquare} />
      {formatCount(threads.length)}
    </Button>
  );
}

/** The comments in the order of the log, each below the lines that it is about. */
export function FileCommentsPane({ file, onClose }: { file: ExportedFile; onClose: () => void }) {
  const { store } = useSessionPage();
  const { threads, shown } = useContext(FileCommentsContext);
  const coversThread = useMedia(COVERS_PAGE);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown === null) return;
    list.current?.querySelector(`[data-about="${CSS.escape(shown)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  const go = (record: RecordId) => {
    if (coversThread) onClose();
    store.goToRecord(record);
  };
  return (
    <PaneFrame label="Comments" onClose={onClose} head={<span className="font-semibold">Comments</span>}>
      <div ref={list} className="min-h-0 overflow-auto text-12">
        {threads.map(({ begins, answers }) => (
          <article
            key={begins.id}
            aria-label="Comment"
            data-about={begins.target.recordId}
            className="grid gap-1.5 border-b border-line px-3 py-2.5"
          >
            <CommentQuote about={begins} onGo={isInFile(file, begins.target.recordId) ? go : null} />
            {[begins, ...answers].map((one) => (
              <CommentText key={one.id} comment={one} isGuests />
            ))}
          </article>
        ))}
      </div>
    </PaneFrame>
  );
}

/** Comments on other branches, which no row of the file shows, go along with the whole session. */
function isInFile(file: ExportedFile, record: RecordId | null): boolean {
  return record !== null && [...file.threads()].some(([, thread]) => thread.has(record));
}
