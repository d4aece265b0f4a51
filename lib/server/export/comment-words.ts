import { formatFileLines } from "@/lib/format/file-lines";
import { formatFullTime } from "@/lib/format/format";
import { asWritten, codeSpan, quoteText } from "@/lib/markup/write-markdown";
import type { Annotation } from "@/lib/wire/annotations";
import type { CommentThread } from "@/lib/wire/comment-threads";
import { type Html, html, visible } from "./html/html";

/** Above the comments at whose lines no row of the file stands. */
export const ELSEWHERE = "Comments on lines that are not shown here";

/** A thread below the row that it is about, as a quote that nothing in it can end. `isElsewhere`: that row is not there. */
export function threadToMarkdown(thread: CommentThread, isElsewhere = false): string {
  const { begins, answers } = thread;
  const file = begins.target.lines && codeSpan(formatFileLines(begins.target.lines));
  const about = aboutOf(begins, isElsewhere);
  const parts = [
    `_${asWritten(headOf(begins, "Comment"))}_`,
    file,
    about && quoteText(about),
    begins.body,
    ...answers.flatMap((answer) => [`_${asWritten(headOf(answer, "Reply"))}_`, answer.body]),
  ].filter(Boolean);
  return `${quoteText(parts.join("\n\n"))}\n\n`;
}

/** The same as markup. */
export function threadToHtml(thread: CommentThread, isElsewhere = false): Html {
  const { begins, answers } = thread;
  const { lines } = begins.target;
  const about = aboutOf(begins, isElsewhere);
  const said = (one: Annotation, name: string) =>
    html`<p class="meta">${visible(headOf(one, name))}</p>${
      one === begins && lines && html`<p class="file">${visible(formatFileLines(lines))}</p>`
    }${one === begins && about && html`<blockquote>${visible(about)}</blockquote>`}<p class="said">${visible(one.body)}</p>`;
  return html`<aside class="comment" aria-label="Comment">${said(begins, "Comment")}${answers.map((answer) => said(answer, "Reply"))}</aside>`;
}

/** `Comment · Anna (guest) · Mon 3 Aug 2026, 10:12:44 · edited`. Guests choose what they are called. */
function headOf({ author, createdAtMs, editedAtMs, resolvedAtMs }: Annotation, name: string): string {
  const writer =
    author === null ? "the person who shared this" : author === "" ? "a guest" : `${author} (guest)`;
  const facts = [name, writer, formatFullTime(createdAtMs)];
  if (editedAtMs !== null) facts.push("edited");
  if (resolvedAtMs !== null) facts.push("resolved");
  return facts.join(" · ");
}

/** The words that a comment is about; none where it is about the whole row that it stands below. */
function aboutOf({ target: { quote, range, lines } }: Annotation, isElsewhere: boolean): string {
  return isElsewhere || range !== null || lines !== null ? (quote?.exact ?? "").trim() : "";
}
