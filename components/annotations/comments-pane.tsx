import { clsx } from "clsx";
import { Bookmark, ClipboardCopy, MessageSquare, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button, IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import { paneOver, useKeptFocus } from "@/components/ui/main-focus";
import { Tag } from "@/components/ui/marks";
import { EmptyState, FailedState } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { copyText } from "@/lib/client/copy-text";
import { formatFileLines } from "@/lib/format/file-lines";
import { formatCount } from "@/lib/format/format";
import { firstWords } from "@/lib/format/text";
import type { Annotation } from "@/lib/wire/annotations";
import { byPlace, threadsOf } from "@/lib/wire/comment-threads";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { ANCHOR_STATES } from "./comment-text";
import { CommentThreadView, sendComment } from "./comment-thread";
import { formatPrompt, isSent } from "./comments-prompt";
import { Composer } from "./composer";
import { newAnnotationId, told } from "./organise";
import { type BegunComment, useBegunComments, useFieldsOfGone, useUnsent } from "./unsent-comments";

type CommentsProps = {
  sessionId: SessionId;
  /** A guest's name, who may add comments and change their own; `null` for the owner. */
  guest: string | null;
  annotations: readonly Annotation[];
  /** They are still being loaded. */
  isPending: boolean;
  /** Why they could not be loaded. */
  error: Error | null;
  /** What stands beside them, of which text or rows may be commented. */
  beside: "thread" | "changes";
  /** The record from which the reader came: its comments are scrolled into view. */
  shown: RecordId | null;
  onGo: (recordId: RecordId) => void;
  /** Called when something was changed here, and must be loaded again. */
  onChanged: () => void;
};

/** So many threads of comments are drawn, and added at a time: each is some thirty elements. */
const STEP = 50;

/**
 * Which threads are drawn: those around the one that is shown, or the first, and what the reader has added on either side.
 * @param at the place of the thread that is shown
 */
function useDrawnThreads(at: number, count: number) {
  const [added, setAdded] = useState({ before: 0, after: 0 });
  const begin = Math.floor(Math.max(0, at) / STEP) * STEP;
  const from = Math.max(0, begin - added.before);
  const to = Math.min(count, begin + STEP + added.after);
  return {
    from,
    to,
    before: () => setAdded((all) => ({ ...all, before: all.before + STEP })),
    after: () => setAdded((all) => ({ ...all, after: all.after + STEP })),
  };
}

/** A session's comments and bookmarks in the order of its log, with a field for a new one. */
export function CommentList(props: CommentsProps) {
  const { annotations, isPending, error, guest, beside, shown, onGo, onChanged } = props;
  const begun = useBegunComments();
  const gone = useFieldsOfGone(annotations);
  const threads = threadsOf(annotations).toSorted((a, b) => byPlace(a.begins, b.begins));
  const bookmarks = annotations.filter(({ kind }) => kind === "bookmark").toSorted(byPlace);
  const place = threads.findIndex(({ begins }) => begins.target.recordId === shown);
  const drawn = useDrawnThreads(shown === null ? 0 : place, threads.length);
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus([...begun, ...annotations].map(({ id }) => id).join(), () => paneOver(list.current));
  useEffect(() => {
    if (shown === null) return;
    list.current?.querySelector(`[data-about="${CSS.escape(shown)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  return (
    <div ref={list} className="min-h-0 overflow-auto text-12">
      {begun.map((draft) => (
        <NewComment key={draft.id} {...props} draft={draft} />
      ))}
      {!isPending && !error && gone.map((field) => <GoneText key={field} field={field} />)}
      {drawn.from > 0 && <MoreThreads count={drawn.from} where="before" onShow={drawn.before} />}
      {threads.slice(drawn.from, drawn.to).map((thread) => (
        <CommentThreadView
          key={thread.begins.id}
          thread={thread}
          guest={guest}
          isShown={thread.begins.target.recordId === shown}
          onGo={onGo}
          onChanged={onChanged}
        />
      ))}
      {drawn.to < threads.length && (
        <MoreThreads count={threads.length - drawn.to} where="behind" onShow={drawn.after} />
      )}
      {bookmarks.length > 0 && (
        <h3 className="border-b border-line bg-panel px-3 pt-3 pb-1 text-11 text-fg-2">Bookmarks</h3>
      )}
      {bookmarks.map((bookmark) => (
        <BookmarkLine key={bookmark.id} bookmark={bookmark} onGo={onGo} onChanged={onChanged} />
      ))}
      {error ? (
        <FailedState title="Couldn’t read the comments" error={error} onRetry={onChanged} />
      ) : isPending || threads.length + bookmarks.length + begun.length + gone.length > 0 ? null : (
        <EmptyState icon={MessageSquare} title="No comments yet">
          {beside === "changes" ? "Select text of a change" : "Select text or a row"}
          <span className="pointer-coarse:hidden">
            , then press <Kbd>a</Kbd>
          </span>
          .
          {guest === null && beside === "thread" && (
            <span className="pointer-coarse:hidden">
              {" "}
              <Kbd>m</Kbd> sets a bookmark.
            </span>
          )}
        </EmptyState>
      )}
    </div>
  );
}

/** Threads that are not drawn yet, before or behind those that are. */
function MoreThreads({
  count,
  where,
  onShow,
}: {
  count: number;
  where: "before" | "behind";
  onShow: () => void;
}) {
  return (
    <p className="border-b border-line px-3 py-2">
      <Button onClick={onShow}>
        Show {formatCount(Math.min(STEP, count))} more of {formatCount(count)} {where}
      </Button>
    </p>
  );
}

/**
 * Copies the open comments that were not sent yet in their current state, or all open ones if all were sent; remembers
 * that they were sent.
 */
export function CopyPrompt({ annotations, onChanged }: Pick<CommentsProps, "annotations" | "onChanged">) {
  const open = threadsOf(annotations)
    .filter(({ begins }) => begins.resolvedAtMs === null)
    .toSorted((a, b) => byPlace(a.begins, b.begins));
  const unsent = open.filter((thread) => !isSent(thread));
  const round = unsent.length > 0 ? unsent : open;
  if (round.length === 0) return null;
  const copy = async () => {
    if (!(await copyText(formatPrompt(round)))) return toast("The browser does not allow copying", "err");
    const sent = round.map(({ begins }) => api.changeAnnotation(begins.id, { sent: true }));
    await told(Promise.all(sent), "Copied: paste it into Claude Code");
    onChanged();
  };
  return (
    <Button
      kind="quiet"
      title="Copies them as a prompt for Claude Code, each below the lines it is about"
      onClick={() => void copy()}
    >
      <Icon of={ClipboardCopy} small />
      {unsent.length > 0 ? `Copy ${formatCount(unsent.length)} as prompt` : "Copy again"}
    </Button>
  );
}

function NewComment({
  sessionId,
  guest,
  draft,
  onChanged,
}: Pick<CommentsProps, "sessionId" | "guest" | "onChanged"> & { draft: BegunComment }) {
  const unsent = useUnsent();
  const send = async (body: string) => {
    const { recordId, block, selected, lines } = draft;
    const target = { sessionId, recordId, block, selected, lines };
    const id = unsent.get(draft.id)?.id ?? newAnnotationId();
    await sendComment({ id, target, body, author: guest });
    onChanged();
    return null;
  };
  return (
    <div className="grid gap-1.5 border-b border-line-2 bg-bg px-3 py-2.5">
      <p className="line-clamp-3 border-l-2 border-accent pl-2 font-mono text-11 [overflow-wrap:anywhere] whitespace-pre-wrap text-fg-2">
        {draft.lines && (
          <span className="block text-fg">
            <VisibleText text={formatFileLines(draft.lines)} />
          </span>
        )}
        <VisibleText text={draft.about} />
      </p>
      <Composer field={draft.id} label="Comment" send="Comment" onSend={send} />
    </div>
  );
}

/** Text that was written for a comment which somebody has deleted meanwhile, so that its writer can copy it. */
function GoneText({ field }: { field: string }) {
  const unsent = useUnsent();
  return (
    <div className="grid gap-1.5 border-b border-line-2 bg-bg px-3 py-2.5">
      <p className="text-11 text-fg-2">The comment that you were replying to, or editing, was deleted.</p>
      <textarea
        aria-label="Text for a deleted comment"
        rows={3}
        readOnly
        value={unsent.get(field)?.text ?? ""}
        className="w-full resize-y rounded-2 border border-line-3 bg-bg px-2 py-1 text-13"
      />
      <span className="flex justify-end">
        <Button kind="quiet" onClick={() => unsent.end(field)}>
          Discard
        </Button>
      </span>
    </div>
  );
}

const MAX_LINE = 200;

function BookmarkLine({
  bookmark,
  onGo,
  onChanged,
}: {
  bookmark: Annotation;
  onGo: (recordId: RecordId) => void;
  onChanged: () => void;
}) {
  const { target, state, id } = bookmark;
  const { recordId } = target;
  const isGone = state === "detached" || recordId === null;
  const line = firstWords(target.quote?.shown ?? target.quote?.exact ?? "", MAX_LINE) || "(no text)";
  return (
    <div data-about={recordId} className="flex h-8 items-center gap-2 border-b border-line pr-2 pl-3">
      <Icon of={Bookmark} small className={clsx("flex-none text-edit", !isGone && "fill-current")} />
      <button
        type="button"
        disabled={isGone}
        onClick={() => recordId && onGo(recordId)}
        className="min-w-0 flex-1 truncate text-left text-fg-2 enabled:hover:text-fg"
      >
        <VisibleText text={line} />
      </button>
      {ANCHOR_STATES[state] && <Tag tone="warn">{ANCHOR_STATES[state].word}</Tag>}
      <IconButton
        icon={X}
        small
        label="Remove the bookmark"
        onClick={() => void told(api.removeAnnotation(id)).then(onChanged)}
      />
    </div>
  );
}
