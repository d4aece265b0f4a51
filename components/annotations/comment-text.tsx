import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Tag } from "@/components/ui/marks";
import { Time } from "@/components/ui/time";
import { formatFileLines } from "@/lib/format/file-lines";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId } from "@/lib/wire/ids";

/** Whether the annotated text is where it was. */
export const ANCHOR_STATES = {
  anchored: null,
  moved: { word: "moved", means: "The lines have changed or moved since this was written" },
  detached: { word: "lines gone", means: "These lines are no longer in the log; the quote is kept" },
} as const;

/**
 * The lines that a comment is about, as a link to them; and whether they are where they were.
 * @param onGo `null` where the reader has those lines nowhere else
 */
export function CommentQuote({
  about: { target, state },
  onGo,
}: {
  about: Annotation;
  onGo: ((recordId: RecordId) => void) | null;
}) {
  const { recordId, quote, lines } = target;
  const change = ANCHOR_STATES[state];
  const text = (quote?.shown ?? quote?.exact ?? "").trim();
  const isGone = state === "detached" || recordId === null || onGo === null;
  return (
    <div className="flex items-start gap-2">
      <button
        type="button"
        disabled={isGone}
        title={isGone ? undefined : "Go to these lines"}
        onClick={() => recordId && onGo?.(recordId)}
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
      {!change && onGo === null && (
        <span title="These lines are in none of the rows here">
          <Tag>not here</Tag>
        </span>
      )}
    </div>
  );
}

/** A comment, with who wrote it and when, and at its head what can be done with it. */
export function CommentText({
  comment: { body, author, createdAtMs, editedAtMs, sentAtMs, resolvedAtMs },
  isGuests,
  children,
}: {
  comment: Annotation;
  /** It is read by somebody else than this Backscroll's owner. */
  isGuests: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="group/comment grid gap-0.5">
      <p className="flex items-center gap-1.5 text-11 text-fg-3">
        <Author name={author} isGuests={isGuests} />
        <Time atMs={createdAtMs} />
        {editedAtMs !== null && <span>edited</span>}
        {sentAtMs !== null && <span>sent</span>}
        {resolvedAtMs !== null && <span>resolved</span>}
        <span className="flex-1" />
        {children}
      </p>
      <p className="text-13 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <VisibleText text={body} />
      </p>
    </div>
  );
}

/**
 * Who wrote a comment, in plain text. A guest's name is not verified: it is never told without the word guest.
 * @param name as a guest calls themselves, perhaps empty; `null` for this Backscroll's owner
 * @param isGuests whether somebody else than the owner reads it
 */
export function formatAuthor(name: string | null, isGuests: boolean): string {
  if (name === null) return isGuests ? "The person who shared this" : "You";
  return name === "" ? "guest" : `${name} (guest)`;
}

/** A guest's name is not verified: it is never shown without the word guest. */
function Author({ name, isGuests }: { name: string | null; isGuests: boolean }) {
  if (name === null) return <span className="font-semibold text-fg-2">{formatAuthor(name, isGuests)}</span>;
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
