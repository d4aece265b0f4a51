import { Readable } from "node:stream";
import type { Rewriting } from "@/lib/redact/home-folder";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { Annotation } from "@/lib/wire/annotations";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  WHOLE_ONLY,
  WITH_COMMENTS,
  WITH_LOGGED_PATHS,
} from "@/lib/wire/export-formats.mjs";
import type { LeftOut } from "@/lib/wire/shares";
import { type Choice, choose, chosenPart, WHOLE } from "./chosen-part";
import { cloneSession } from "./clone/clone-session";
import { writeHtml } from "./formats/html-format";
import { writeLogs } from "./formats/log-format";
import { writeMarkdown } from "./formats/markdown-format";
import { writeMessages } from "./formats/messages-format";
import { writeRows } from "./formats/rows-format";
import type { Pieces, Source } from "./formats/source";
import { writeTrace } from "./formats/trace-format";
import { zipOf } from "./zip";

type Writer = (source: Source) => Pieces;

const WRITERS: Readonly<Record<Exclude<ExportFormat, "jsonl">, Writer>> = {
  html: writeHtml,
  md: writeMarkdown,
  json: writeRows,
  messages: writeMessages,
  trace: writeTrace,
  log: writeLogs,
};

/** A file that is made as it is read. */
export type ExportDownload = { name: string; mediaType: string; pieces: Pieces };

/**
 * How a session is exported. `redaction`: what is replaced before anything is cut or written. `choice`: the part of
 * it, otherwise everything. `leftOut`: what the link leaves out by which a guest exports. `comments`: those on the session,
 * with the same replaced, to go along with the rows that they are about; `null` where none were asked for. `newId` makes
 * the ids of a clone.
 */
export type ExportSettings = {
  format: ExportFormat;
  redaction?: Rewriting | null;
  choice?: Choice | null;
  leftOut?: readonly LeftOut[];
  comments?: readonly Annotation[] | null;
  newId?: (() => string) | undefined;
};

/**
 * A session's active branch, or the chosen part, as a file, with the work of its agents except in `messages` and `log`.
 * Except in `jsonl` and `log` no control character is output as such: JSON escapes it, Markdown and HTML show its
 * symbol. If the session's log is gone, the file contains the agents' threads, one after another, or their logs. A
 * clone of a session with agents is a zip. Throws ViewerErrors for what a format cannot contain.
 */
export async function exportSession(
  sessions: SessionQueries,
  files: SessionFiles,
  { format, redaction = null, choice = null, leftOut = [], comments = null, newId }: ExportSettings,
): Promise<ExportDownload> {
  const seen = redaction ? sessions.redactedBy(redaction) : sessions;
  if (choice && choice.digest !== null && format !== "jsonl")
    throw notIn(format, "a digest of older turns", TAKE_CLONE);
  if (choice && !choice.isWhole && WHOLE_ONLY.includes(format))
    throw notIn(format, "a part of a session", TAKE_CLONE);
  if (comments !== null) checkComments(format);
  const { extension, mediaType } = EXPORT_FORMATS[format];
  if (format !== "jsonl") {
    const id = redaction ? redaction.redactText(files.id).replace(/[^\w.~-]+/g, "-") : files.id;
    const part = choice ? chosenPart(seen, files.id, choice) : seen;
    const lacking = choice?.agents === false && !leftOut.includes("agents") ? ["agents" as const] : [];
    const pieces = WRITERS[format]({
      sessions: part,
      ...{ files, redaction, choice, leftOut: [...leftOut, ...lacking], comments },
    });
    return { name: `${id}.${extension}`, mediaType, pieces };
  }
  const whole = choice ?? (await choose(seen, files.id, WHOLE));
  const clone = await cloneSession(seen, files.id, whole, redaction, newId);
  const [log] = clone.files;
  if (log && clone.files.length === 1) return { name: log.path, mediaType, pieces: log.pieces };
  return { name: `${clone.id}.zip`, mediaType: "application/zip", pieces: zipOf(Readable.from(clone.files)) };
}

/** Throws a ViewerError for a format whose paths cannot be shortened: in what Claude Code reads, they are those that it wrote. */
export function checkShortPaths(format: ExportFormat): void {
  if (!WITH_LOGGED_PATHS.includes(format)) return;
  throw new ViewerError("not-in-format", `${EXPORT_FORMATS[format].name} cannot hold shortened paths`, {
    status: 400,
    hint: "Claude Code needs its paths as they were logged: ask for it without tilde and relative, or for another format.",
  });
}

/** Throws a ViewerError for a format that has no place for comments. */
export function checkComments(format: ExportFormat): void {
  if (WITH_COMMENTS.includes(format)) return;
  throw notIn(
    format,
    "comments",
    `Take format=${WITH_COMMENTS.join(" or ")}, or ask for it without comments.`,
  );
}

const TAKE_CLONE = "Take format=jsonl, a clone.";

function notIn(format: ExportFormat, what: string, hint: string): ViewerError {
  return new ViewerError("not-in-format", `${EXPORT_FORMATS[format].name} cannot hold ${what}`, {
    status: 400,
    hint,
  });
}
