import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Tag } from "@/components/ui/marks";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { formatPlural } from "@/lib/format/format";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId } from "@/lib/wire/ids";
import { formatFileLines } from "./comments-prompt";
import { Composer } from "./composer";
import { newAnnotationId, told } from "./organise";
import type { CommentThread } from "./row-annotations";
import { answerField, editField, useIsOpen, useUnsent } from "./unsent-comments";

/** A thread of comments, below the lines that they are about, with a field for an answer. */
export function CommentThreadView({
  thread: { begins, answers },
  guest,
  isShown,
  onGo,
  onChanged,
}: {
  thread: CommentThread;
  /** A guest's name, who may change only their own comments; `null` for the owner. */
  guest: string | null;
  isShown: boolean;
  onGo: (recordId: RecordId) => void;
  onChanged: () => void;
}) {
  const unsent = useUnsent();
  const field = answerField(begins.id);
  const answering = useIsOpen(field);
  const [hasAnswered, setHasAnswered] = useState(false);
  const isResolved = begins.resolvedAtMs !== null;
  const change = async (work: Promise<unknown>) => {
    await told(work);
    onChanged();
  };
  const answer = async (body: string) => {
    const { sessionId } = begins.target;
    const id = unsent.get(field)?.id ?? newAnnotationId();
    await sendComment({ id, target: { sessionId }, body, replyTo: begins.id, author: guest });
    onChanged();
    return null;
  };
  return (
    <article
      aria-label="Comment"
      data-about={begins.target.recordId}
      className={clsx("grid gap-1.5 border-b border-line px-3 py-2.5", isShown && "sel-bar bg-sel-faint")}
    >
      <Quote about={begins} onGo={onGo} />
      <div className={clsx("grid gap-2", isResolved && "text-fg-2")}>
        {[begins, ...answers].map((one) => (
          <Comment
            key={one.id}
            comment={one}
            answers={one === begins ? answers.length : 0}
            isGuests={guest !== null}
            onChanged={onChanged}
          />
        ))}
      </div>
      {answering ? (
        <Composer field={field} label="Reply" send="Reply" onSend={answer} />
      ) : (
        <div className="-ml-2 flex">
          <Button
            kind="quiet"
            autoFocus={hasAnswered}
            onClick={() => {
              unsent.open(field);
              setHasAnswered(true);
            }}
          >
            Reply
          </Button>
          {guest === null && (
            <Button
              kind="quiet"
              onClick={() => void change(api.changeAnnotation(begins.id, { resolved: !isResolved }))}
            >
              {!isResolved && <Icon of={Check} small />}
              {isResolved ? "Reopen" : "Resolve"}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

/**
 * Adds a comment, or updates the one that was added under its id: if the answer to that was lost, its writer may have
 * continued writing. Throws `ApiError`.
 */
export async function sendComment(
  comment: Omit<Parameters<typeof api.annotate>[0], "kind"> & { id: string; body: string },
): Promise<void> {
  const { id, body, revision } = await api.annotate({ ...comment, kind: "comment" });
  if (body !== comment.body) await api.changeAnnotation(id, { body: comment.body, revision });
}

/** Whether the annotated text is where it was. */
export const ANCHOR_STATES = {
  anchored: null,
  moved: { word: "moved", means: "The lines have changed or moved since this was written" },
  detached: { word: "lines gone", means: "These lines are no longer in the log; the quote is kept" },
} as const;

/** The lines that a comment is about, as a link to them; and whether they are where they were. */
function Quote({
  about: { target, state },
  onGo,
}: {
  about: Annotation;
  onGo: (recordId: RecordId) => void;
}) {
  const { recordId, quote, lines } = target;
  const change = ANCHOR_STATES[state];
  const text = (quote?.shown ?? quote?.exact ?? "").trim();
  const isGone = state === "detached" || recordId === null;
  return (
    <div className="flex items-start gap-2">
      <button
        type="button"
        disabled={isGone}
        title={isGone ? undefined : "Go to these lines"}
        onClick={() => recordId && onGo(recordId)}
        className="line-clamp-4 min-w-0 flex-1 border-l-2 border-line-3 pl-2 text-left font-mono text-11 [overflow-wrap:anywhere] whitespace-pre-wrap text-fg-2 enabled:hover:border-accent enabled:hover:text-fg"
      >
        {lines && (
          <span className="mb-0.5 block text-fg">
            <VisibleText text={formatFileLines(lines)} />
          </span>
        )}
        {text ? <VisibleText text={text} /> : "(no text)"}
      </button>
      {change && (
        <span title={change.means}>
          <Tag tone="warn">{change.word}</Tag>
        </span>
      )}
    </div>
  );
}

function Comment({
  comment,
  answers,
  isGuests,
  onChanged,
}: {
  comment: Annotation;
  /** The number of answers that are deleted with it. */
  answers: number;
  isGuests: boolean;
  onChanged: () => void;
}) {
  const { id, target, body, author, createdAtMs, editedAtMs, sentAtMs, resolvedAtMs, revision } = comment;
  /** The button that led to the field gets the focus again when it is back. */
  const [wasEdited, setWasEdited] = useState(false);
  const unsent = useUnsent();
  const field = editField(id);
  const isEdited = useIsOpen(field);
  const edit = async (text: string) => {
    try {
      // The revision that the writer has seen: later changes are not overwritten unseen.
      await api.changeAnnotation(id, { body: text, revision: unsent.get(field)?.revision ?? revision });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "annotation-changed") throw error;
      const { annotations } = await api.annotations(target.sessionId, ["comment"]);
      const other = annotations.find((one) => one.id === id);
      if (!other) throw error;
      unsent.see(field, other.revision);
      return `It was changed meanwhile in another window. It says: “${other.body}”. Saving again replaces that.`;
    }
    onChanged();
    return null;
  };
  const remove = async () => {
    await told(api.removeAnnotation(id));
    onChanged();
  };
  if (isEdited) return <Composer field={field} label="Edit the comment" send="Save" onSend={edit} />;
  return (
    <div className="group/comment grid gap-0.5">
      <p className="flex items-center gap-1.5 text-11 text-fg-3">
        <Author name={author} isGuests={isGuests} />
        <Time atMs={createdAtMs} />
        {editedAtMs !== null && <span>edited</span>}
        {sentAtMs !== null && <span>sent</span>}
        {resolvedAtMs !== null && <span>resolved</span>}
        <span className="flex-1" />
        {isGuests && !comment.own ? null : (
          <CommentButtons
            answers={answers}
            wasEdited={wasEdited}
            onEdit={() => {
              unsent.open(field, body, revision);
              setWasEdited(true);
            }}
            onDelete={() => void remove()}
          />
        )}
      </p>
      <p className="text-13 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <VisibleText text={body} />
      </p>
    </div>
  );
}

/** Edit and Delete, which asks first. What the button that was pressed gives way to gives it the focus back. */
function CommentButtons({
  answers,
  wasEdited,
  onEdit,
  onDelete,
}: {
  answers: number;
  wasEdited: boolean;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const [asks, setAsks] = useState<"first" | "now" | "again">("first");
  if (asks === "now")
    return (
      <>
        <button type="button" className="text-err hover:underline" onClick={onDelete}>
          Delete it{answers > 0 && ` and ${formatPlural(answers, "reply", "replies")}`}
        </button>
        <button type="button" autoFocus className="hover:underline" onClick={() => setAsks("again")}>
          Keep
        </button>
      </>
    );
  return (
    <span className="flex gap-2 opacity-0 group-focus-within/comment:opacity-100 group-hover/comment:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100">
      <button
        type="button"
        autoFocus={wasEdited && asks === "first"}
        className="hover:text-fg"
        onClick={onEdit}
      >
        Edit
      </button>
      <button
        type="button"
        autoFocus={asks === "again"}
        className="hover:text-fg"
        onClick={() => setAsks("now")}
      >
        Delete
      </button>
    </span>
  );
}

/** A guest's name is not verified: it is never shown without the word guest. */
function Author({ name, isGuests }: { name: string | null; isGuests: boolean }) {
  if (name === null)
    return <span className="font-semibold text-fg-2">{isGuests ? "The person who shared this" : "You"}</span>;
  return (
    <>
      {name !== "" && (
        <bdi className="min-w-0 truncate font-semibold text-fg-2">
          <VisibleText text={name} />
        </bdi>
      )}
      <span className="flex-none">guest</span>
    </>
  );
}
