import { formatFileLines } from "@/lib/format/file-lines";
import type { CommentThread } from "@/lib/wire/comment-threads";

/** At most this many lines of a quote are included in a prompt. */
const MAX_QUOTED_LINES = 24;

/** Lines with less indentation are the prompt's own, and its owner's: no line of a guest's may look like one. */
const GUEST_INDENT = "    ";

/** Whether a whole thread was already copied into a prompt: nothing was answered or edited since. */
export function isSent({ begins, answers }: CommentThread): boolean {
  const { sentAtMs } = begins;
  const saidAtMs = [begins, ...answers].map((one) => one.editedAtMs ?? one.createdAtMs);
  return sentAtMs !== null && sentAtMs >= Math.max(...saidAtMs);
}

/**
 * Comments as a prompt for Claude Code: each below the very lines that it is about, with its answers. Changes since
 * then are mentioned, since the quote may be outdated.
 */
export function formatPrompt(threads: readonly CommentThread[]): string {
  const count = threads.length === 1 ? "one comment" : `${threads.length} comments`;
  const items = threads.map((thread, index) => formatThread(thread, index + 1));
  return [`I have ${count} on this session. Each quotes the lines that it is about.`, ...items].join("\n\n");
}

function formatThread({ begins, answers }: CommentThread, number: number): string {
  const { target, state } = begins;
  const lines = (target.quote?.exact ?? "").trimEnd().split("\n");
  const more = lines.length > MAX_QUOTED_LINES ? [`… ${lines.length - MAX_QUOTED_LINES} more lines`] : [];
  const quoted = [...lines.slice(0, MAX_QUOTED_LINES), ...more].map((line) => `> ${line}`.trimEnd());
  const changed = state === "anchored" ? [] : ["(These lines have changed since, or are elsewhere.)\n"];
  const said = [begins, ...answers].map(({ body, author }) =>
    author === null
      ? body
      : `${author === "" ? "A guest" : `${author.replace(/\s+/g, " ")} (guest)`}: ${body.replaceAll(/\r\n?|\n/g, `\n${GUEST_INDENT}`)}`,
  );
  const file = target.lines && formatFileLines(target.lines).replace(/\s+/g, " ");
  const head = [`${number}.`, ...(file ? [file] : [])].join(" ");
  // A line right below a quote would be of the quote, in Markdown.
  return [head, `${quoted.join("\n")}\n`, ...changed, said.join("\n\n")].join("\n");
}
