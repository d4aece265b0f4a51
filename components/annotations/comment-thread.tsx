import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { formatPlural } from "@/lib/format/format";
import type { Annotation } from "@/lib/wire/annotations";
import type { CommentThread } from "@/lib/wire/comment-threads";
import type { RecordId } from "@/lib/wire/ids";
import { CommentQuote, CommentText } from "./comment-text";
import { Composer } from "./composer";
import { newAnnotationId, told } from "./organise";
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
      <CommentQuote about={begins} onGo={onGo} />
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
  const { id, target, body, revision } = comment;
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
    <CommentText comment={comment} isGuests={isGuests}>
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
    </CommentText>
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
