import { type ReactNode, useContext } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatFileLines } from "@/lib/format/file-lines";
import { formatFullTime } from "@/lib/format/format";
import type { Annotation } from "@/lib/wire/annotations";
import { marksOfRow } from "@/lib/wire/comment-threads";
import type { Row } from "@/lib/wire/rows";
import { formatAuthor } from "./comment-text";
import { RowAnnotationsContext } from "./row-annotations";

/**
 * On paper below a row: the comments on it, each with who wrote it and when, and the text that it is about.
 * @param rail what goes on left of them
 */
export function PrintedComments({ row, rail }: { row: Row; rail: ReactNode }) {
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  const threads = marksOfRow(annotations.places, row).flatMap((place) => place.threads);
  if (threads.length === 0) return null;
  return (
    <div className="grid grid-cols-[var(--rail)_minmax(0,1fr)]">
      {rail}
      <ul
        aria-label="Comments"
        data-log="none"
        className="mt-1 mr-3 mb-2 grid gap-1.5 border-l-2 border-accent pl-2"
      >
        {threads.flatMap(({ begins, answers }) => [
          <PrintedComment key={begins.id} comment={begins} isReply={false} isOwners={annotations.isOwners} />,
          ...answers.map((one) => (
            <PrintedComment key={one.id} comment={one} isReply isOwners={annotations.isOwners} />
          )),
        ])}
      </ul>
    </div>
  );
}

function PrintedComment({
  comment: { author, body, createdAtMs, editedAtMs, resolvedAtMs, target },
  isReply,
  isOwners,
}: {
  comment: Annotation;
  isReply: boolean;
  isOwners: boolean;
}) {
  const { range, quote, lines } = target;
  const about = (quote?.shown ?? quote?.exact ?? "").trim();
  const told = [
    formatFullTime(createdAtMs),
    editedAtMs === null ? null : "edited",
    resolvedAtMs === null ? null : "resolved",
  ];
  return (
    <li className={isReply ? "ml-3 break-inside-avoid" : "break-inside-avoid"}>
      {/* Of a whole row there is nothing to repeat. */}
      {!isReply && (lines !== null || range !== null) && (
        <p className="line-clamp-4 font-mono text-11 [overflow-wrap:anywhere] whitespace-pre-wrap text-fg-2">
          {lines && (
            <>
              <VisibleText text={formatFileLines(lines)} />
              {"\n"}
            </>
          )}
          <VisibleText text={about} />
        </p>
      )}
      <p className="text-11 text-fg-2">
        {isReply ? "Reply · " : "Comment · "}
        <bdi className="font-semibold">
          <VisibleText text={formatAuthor(author, !isOwners)} />
        </bdi>{" "}
        · {told.filter(Boolean).join(" · ")}
      </p>
      <p className="text-13 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <VisibleText text={body} />
      </p>
    </li>
  );
}
