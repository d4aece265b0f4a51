import { spellControls, toPrintableJson } from "@/lib/format/control-characters";
import { formatFullTime, formatPlural } from "@/lib/format/format";
import { openConfined } from "@/lib/server/disk/confined-file";
import type { LogFile, SessionFiles } from "@/lib/server/library/session-files";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Detail, Row, RowsResponse } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import {
  HTML_END,
  htmlHead,
  type ListedTurn,
  promptList,
  rowToHtml,
  threadToHtml,
  zoneOf,
} from "./export-html";
import { LogReader, settled } from "./html/log-reader";
import { rowToMarkdown } from "./markdown";

const WINDOW = 200;
const CHUNK_BYTES = 1 << 20;

type Pieces = AsyncGenerator<string | Uint8Array>;

const WRITERS: Readonly<Record<ExportFormat, (sessions: SessionQueries, files: SessionFiles) => Pieces>> = {
  html: writeHtml,
  md: writeMarkdown,
  json: writeRows,
  messages: writeMessages,
  jsonl: writeLogs,
};

/**
 * A session's active branch as a file, in pieces. Except in `jsonl` no control character is output as such: JSON
 * escapes it, Markdown and HTML show its symbol. For a session whose log is gone it is the agents' threads, one after
 * another, or their logs.
 */
export function exportSession(sessions: SessionQueries, files: SessionFiles, format: ExportFormat): Pieces {
  return WRITERS[format](sessions, files);
}

async function* writeHtml(sessions: SessionQueries, files: SessionFiles): Pieces {
  const session = await settled(() => sessions.detail(files.id));
  const reader = new LogReader(sessions, files.id);
  yield toText(htmlHead(session.title, factsOf(session)));
  for (const { agentId, name } of await threadsOf(sessions, files)) {
    if (name !== null) yield toText(threadToHtml(name));
    else yield toText(promptList(await turnsOf(sessions, files.id)));
    for await (const row of rowsOf(sessions, files.id, agentId, "tools"))
      yield toText(await rowToHtml(row, reader));
  }
  yield HTML_END;
}

/** More prompts than anybody reads a list of are left out of it. */
const MAX_LISTED = 500;

/** The first words of the prompts. */
async function turnsOf(sessions: SessionQueries, id: SessionId): Promise<ListedTurn[]> {
  const query = { branch: null, detail: "tools" as const, fold: [], from: 0, count: MAX_LISTED };
  const { turns } = await settled(() => sessions.outline(id, query));
  return turns;
}

async function* writeMarkdown(sessions: SessionQueries, files: SessionFiles): Pieces {
  const session = await settled(() => sessions.detail(files.id));
  yield toText(`# ${session.title}\n\n${factsOf(session)}\n\n`);
  for (const { agentId, name } of await threadsOf(sessions, files)) {
    if (name !== null) yield toText(`# ${name}\n\n`);
    for await (const row of rowsOf(sessions, files.id, agentId, "tools")) yield toText(rowToMarkdown(row));
  }
}

/** The rows as the API gives them. */
async function* writeRows(sessions: SessionQueries, files: SessionFiles): Pieces {
  const session = await settled(() => sessions.detail(files.id));
  yield `{"session":${toPrintableJson(session)},"rows":[`;
  let separator = "\n";
  for (const { agentId } of await threadsOf(sessions, files)) {
    for await (const row of rowsOf(sessions, files.id, agentId, "everything")) {
      yield separator + toPrintableJson(row);
      separator = ",\n";
    }
  }
  yield "\n]}\n";
}

/** What the model would be sent next. */
async function* writeMessages(sessions: SessionQueries, { id }: SessionFiles): Pieces {
  const messages = await settled(() => sessions.conversation(id));
  yield `${toPrintableJson({ source: "rebuilt", messages }, 1)}\n`;
}

/** The main log byte for byte: the client resumes it. */
async function* writeLogs(_: SessionQueries, files: SessionFiles): Pieces {
  for (const log of files.main.gone ? files.agents : [files.main]) yield* logBytes(files.root, log);
}

/** Prompts that were pasted on Windows have CRLF line ends. */
function toText(text: string): string {
  return spellControls(text.replaceAll("\r\n", "\n"));
}

function factsOf({ logGone, project, gitBranch, models, startedAtMs, counts }: SessionDetail): string {
  const started = startedAtMs === null ? null : `${formatFullTime(startedAtMs)} ${zoneOf(startedAtMs)}`;
  return [
    logGone ? "The session’s own log is gone: these are its agents" : null,
    project.path,
    gitBranch,
    models.join(", "),
    started,
    `${formatPlural(counts.turns, "turn")}, ${formatPlural(counts.toolCalls, "tool call")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

type ExportedThread = { agentId: AgentId | null; name: string | null };

/** The main thread, or for a session whose log is gone every agent's under its name. */
async function threadsOf(sessions: SessionQueries, { id, main }: SessionFiles): Promise<ExportedThread[]> {
  if (!main.gone) return [{ agentId: null, name: null }];
  const threads: ExportedThread[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await settled(() => sessions.agents(id, { limit: WINDOW, cursor }));
    for (const { agentId, type, description } of page.agents)
      threads.push({ agentId, name: `Agent ${[agentId, type, description].filter(Boolean).join(": ")}` });
    cursor = page.nextCursor;
    if (cursor === null) return threads;
  }
}

async function* rowsOf(
  sessions: SessionQueries,
  id: SessionId,
  agent: AgentId | null,
  detail: Detail,
): AsyncGenerator<Row> {
  const query = { branch: null, agent, detail, fold: [], count: WINDOW, around: null };
  for (let from = 0; ; from += WINDOW) {
    const { rows, total } = await settled<RowsResponse>(() => sessions.rows(id, { ...query, from }));
    yield* rows;
    if (from + WINDOW >= total) return;
  }
}

async function* logBytes(root: string, { path }: LogFile): AsyncGenerator<Uint8Array> {
  const handle = await openConfined(root, path);
  try {
    for (let at = 0; ; ) {
      const bytes = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await handle.read(bytes, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      yield bytes.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
