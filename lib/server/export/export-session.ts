import { Readable } from "node:stream";
import { formatCost, formatFullTime, formatPlural } from "@/lib/format/format";
import { spellControls, toPrintableJson } from "@/lib/format/text";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import type { Rewriting } from "@/lib/redact/home-folder";
import { fileBytes } from "@/lib/server/disk/read-range";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { nextSlice } from "@/lib/server/runtime/slices";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { Annotation } from "@/lib/wire/annotations";
import type { CommentThread } from "@/lib/wire/comment-threads";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  WHOLE_ONLY,
  WITH_COMMENTS,
  WITH_LOGGED_PATHS,
} from "@/lib/wire/export-formats.mjs";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import type { LeftOut } from "@/lib/wire/shares";
import { formatLeftOut } from "./agent-words";
import { type Choice, choose, chosenPart, formatChoice, WHOLE } from "./chosen-part";
import { cloneSession } from "./clone/clone-session";
import { ELSEWHERE, threadToMarkdown } from "./comment-words";
import {
  commentsElsewhere,
  HtmlWriter,
  htmlEnd,
  htmlHead,
  type ListedTurn,
  promptList,
  staticBegin,
  zoneOf,
} from "./export-html";
import { ExportedComments } from "./exported-comments";
import {
  agentEntriesOf,
  agentsOf,
  type ExportedAgents,
  eachRow,
  type ThreadPart,
  threadParts,
} from "./exported-threads";
import { readExportedPage } from "./html/exported-page";
import { LogReader, settled } from "./html/log-reader";
import { pageData } from "./html/page-data";
import { agentToMarkdown, rowToMarkdown } from "./markdown";
import { traceEvents } from "./trace";
import { wholeRow } from "./whole-row";
import { zipOf } from "./zip";

/**
 * Agents of agents are shown in their calls to this depth, which is more than clients start; a page nests no deeper.
 */
const MAX_NESTED = 12;

type Pieces = AsyncGenerator<string | Uint8Array>;

/** What a file is made from: the session as it is to be read, and what is told of it. */
type Source = {
  sessions: SessionQueries;
  files: SessionFiles;
  redaction: Rewriting | null;
  choice: Choice | null;
  leftOut: readonly LeftOut[];
  comments: readonly Annotation[];
};

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
      ...{ files, redaction, choice, leftOut: [...leftOut, ...lacking], comments: comments ?? [] },
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

/** Whether an export also tells what stands at lines that it does not show: a part is what was chosen, and no more. */
function isOfAll({ choice }: Source): boolean {
  return choice === null || choice.isWhole;
}

async function* writeHtml(source: Source): Pieces {
  const { sessions, files, choice, leftOut } = source;
  const session = await settled(() => sessions.detail(files.id));
  const page = readExportedPage();
  const facts = factsOf(session, choice);
  yield toText(htmlHead(session.title, page));
  yield* pageData(sessions, files, session, {
    ...{ facts, leftOut, turns: choice?.turnsOfBranch ?? 0 },
    comments: new ExportedComments(source.comments),
    withCommentsElsewhere: isOfAll(source),
  });
  yield toText(staticBegin(session.title, facts, page));
  // The page's own images are in the data.
  const reader = new LogReader(sessions, files.id, page === null);
  if (!files.main.gone) yield toText(promptList(await turnsOf(sessions, files.id)));
  const agents = await agentsOf(sessions, files.id);
  const agentsLeftOut = leftOut.includes("agents");
  const comments = new ExportedComments(source.comments);
  const writer = new HtmlWriter(reader, agents, {
    ...{ isLogGone: files.main.gone === true, agentsLeftOut, comments },
  });
  for await (const part of threadParts(sessions, files, agents, MAX_NESTED))
    yield toText(await writer.toHtml(part));
  if (isOfAll(source)) yield toText(commentsElsewhere(comments));
  yield htmlEnd(page);
}

/** No list of more prompts would be read. */
const MAX_LISTED = 500;

/** The first words of the prompts. */
async function turnsOf(sessions: SessionQueries, id: SessionId): Promise<ListedTurn[]> {
  const query = { branch: null, detail: "tools" as const, fold: [], from: 0, count: MAX_LISTED };
  const { turns } = await settled(() => sessions.outline(id, query));
  return turns;
}

async function* writeMarkdown(source: Source): Pieces {
  const { sessions, files, choice, leftOut } = source;
  const session = await settled(() => sessions.detail(files.id));
  yield toText(`# ${session.title}\n\n${factsOf(session, choice)}\n\n`);
  const agents = await agentsOf(sessions, files.id);
  const reader = new LogReader(sessions, files.id, false);
  const comments = new ExportedComments(source.comments);
  for await (const part of threadParts(sessions, files, agents, 0)) {
    const whole = part.part === "row" ? { ...part, row: await wholeRow(part.row, reader) } : part;
    yield toText(partToMarkdown(whole, agents, leftOut.includes("agents")));
    if ("row" in part) for (const thread of comments.takeAt(part.row)) yield toText(threadToMarkdown(thread));
  }
  const { left } = comments;
  if (left.length === 0 || !isOfAll(source)) return;
  yield `# ${ELSEWHERE}\n\n`;
  for (const thread of left) yield toText(threadToMarkdown(thread, true));
}

/** Agents' threads follow the thread, each under its name; calls link there. */
function partToMarkdown(part: ThreadPart, agents: ExportedAgents, agentsLeftOut: boolean): string {
  switch (part.part) {
    case "row": {
      const returned = part.row.kind === "agent-return" ? agents.get(part.row.agentId) : undefined;
      return rowToMarkdown(part.row, returned ? [returned] : [], agentsLeftOut);
    }
    case "call":
      return rowToMarkdown(part.row, part.elsewhere, agentsLeftOut);
    case "apart":
      return "# Agents\n\n";
    case "agent":
      return agentToMarkdown(part.agent, part.from);
    case "lost":
      return "_The rest could not be read: its log is gone._\n\n";
    case "left-out":
      return `_${formatLeftOut(part.agents)}_\n\n`;
    case "call-end":
    case "agent-end":
      return "";
  }
}

/** Where the time went, in the form that Chrome's trace viewer and Perfetto read. */
async function* writeTrace({ sessions, files }: Source): Pieces {
  const { title, startedAtMs } = await settled(() => sessions.detail(files.id));
  yield `{"displayTimeUnit":"ms","otherData":${toPrintableJson({ title, startedAtMs })},"traceEvents":[`;
  let separator = "\n";
  for await (const event of traceEvents(sessions, files.id, title ?? "")) {
    yield `${separator}${toPrintableJson(event)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}

/**
 * The session, the chosen part of it, its rows, its agents each with its own, and the comments that go along, as the API
 * returns them.
 */
async function* writeRows(source: Source): Pieces {
  const { sessions, files, choice } = source;
  const comments = new ExportedComments(source.comments);
  const told: CommentThread[] = [];
  const noted = (row: Row) => {
    told.push(...comments.takeAt(row));
    return row;
  };
  const session = await settled(() => sessions.detail(files.id));
  yield `{"session":${toPrintableJson(session)},`;
  if (choice && !choice.isWhole) {
    const { branch, turns, records, thinking, tools, agents, images } = choice;
    const part = { branch, turns, records: records && [...records], thinking, tools, agents, images };
    yield `"part":${toPrintableJson(part)},`;
  }
  yield `"rows":[`;
  const threads = files.main.gone ? [...(await agentsOf(sessions, files.id)).keys()] : [null];
  yield* jsonRows(sessions, files.id, threads, noted);
  yield '\n],"agents":[';
  let separator = "\n";
  for await (const entry of agentEntriesOf(sessions, files.id)) {
    yield `${separator}${toPrintableJson(entry).slice(0, -1)},"rows":[`;
    yield* jsonRows(sessions, files.id, [entry.agentId], noted);
    yield "\n]}";
    separator = ",\n";
  }
  yield "\n]";
  if (isOfAll(source)) told.push(...comments.left);
  if (source.comments.length > 0)
    yield `,"comments":${toPrintableJson(told.flatMap(({ begins, answers }) => [begins, ...answers]))}`;
  yield "}\n";
}

/** The rows of these threads, one after another. `noted` is told of each. */
async function* jsonRows(
  sessions: SessionQueries,
  id: SessionId,
  threads: readonly (AgentId | null)[],
  noted: (row: Row) => Row,
): Pieces {
  let separator = "\n";
  for (const thread of threads) {
    for await (const row of eachRow(sessions, id, thread, "everything")) {
      yield separator + toPrintableJson(noted(row));
      separator = ",\n";
    }
  }
}

/** The messages that the model would be sent next. */
async function* writeMessages({ sessions, files: { id } }: Source): Pieces {
  yield '{\n "source": "rebuilt",\n "messages": [';
  let separator = "\n";
  for await (const message of sessions.conversation(id)) {
    // No text in JSON has a line end of its own.
    yield `${separator}  ${toPrintableJson(message, 1).replaceAll("\n", "\n  ")}`;
    separator = ",\n";
  }
  yield separator === "\n" ? "]\n}\n" : "\n ]\n}\n";
}

/** The main log byte for byte, or its lines redacted. If there are several logs, each begins on a line of its own. */
async function* writeLogs({ files, redaction }: Source): Pieces {
  let last = NEWLINE[0];
  for (const log of files.main.gone ? files.agents : [files.main]) {
    const bytes = fileBytes(files.root, log.path);
    if (last !== NEWLINE[0]) yield NEWLINE;
    for await (const piece of redaction ? redactedLines(bytes, redaction) : bytes) {
      last = piece.at(-1) ?? last;
      yield piece;
    }
  }
}

/** The bytes of a log with its secrets replaced; lines without any stay byte for byte. */
async function* redactedLines(
  log: AsyncGenerator<Uint8Array>,
  redaction: Rewriting,
): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const redacted = ({ bytes }: RawLine) => {
    const line = decoder.decode(bytes);
    const changed = redaction.redactLine(line);
    return changed === line ? bytes : Buffer.from(changed);
  };
  for await (const chunk of log) {
    const lines: RawLine[] = [];
    splitter.push(chunk, (line) => lines.push(line));
    const written: Uint8Array[] = [];
    for (const line of lines) {
      written.push(redacted(line), NEWLINE);
      await nextSlice();
    }
    yield Buffer.concat(written);
  }
  const rest = splitter.rest();
  if (rest) yield redacted(rest);
}

const NEWLINE = Buffer.from("\n");

/** Prompts that were pasted on Windows have CRLF line ends. */
function toText(text: string): string {
  return spellControls(text.replaceAll("\r\n", "\n"));
}

function factsOf(
  { logGone, project, gitBranch, models, startedAtMs, counts, tokens, cost }: SessionDetail,
  choice: Choice | null,
): string {
  const started = startedAtMs === null ? null : `${formatFullTime(startedAtMs)} ${zoneOf(startedAtMs)}`;
  // The cost of a part is not known: the requests contained the rest too.
  const isWhole = !choice || choice.isWhole;
  const { branches } = counts;
  const shown = branches > 1 ? ` on ${branches} branches, of which the active one is in this file` : "";
  return [
    logGone ? "The session’s own log is gone: these are its agents" : null,
    project.path,
    gitBranch,
    models.join(", "),
    started,
    (choice && formatChoice(choice)) ||
      `${formatPlural(counts.turns, "turn")}, ${formatPlural(counts.toolCalls, "tool call")}${shown}`,
    isWhole && tokens && cost
      ? `${formatCost(cost.microUsd, cost.unpricedTokens)} at the API’s prices`
      : null,
  ]
    .filter(Boolean)
    .join(" · ");
}
