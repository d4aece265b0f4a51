import { spellControls, toPrintableJson } from "@/lib/format/control-characters";
import { formatPlural } from "@/lib/format/format";
import { openConfined } from "@/lib/server/disk/confined-file";
import type { LogFile, SessionFiles } from "@/lib/server/library/session-files";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Detail, Row, RowsResponse } from "@/lib/wire/rows";
import type { OrScanning, SessionDetail } from "@/lib/wire/session";
import { HTML_END, htmlHead, rowToHtml, threadToHtml } from "./export-html";
import { rowToMarkdown } from "./markdown";

export const EXPORT_FORMATS = ["html", "md", "json", "messages", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  messages: "application/json",
  jsonl: "application/jsonl",
};

const WINDOW = 200;
const CHUNK_BYTES = 1 << 20;

/**
 * A session's active branch as a file, piece by piece. `jsonl` is the main log byte for byte (the real
 * client resumes it), `messages` what the model would be sent next, `json` the rows as the API gives them. But for
 * `jsonl` no control character leaves as such: JSON escapes it, and Markdown and HTML show a picture of it.
 * Of a session whose log is gone the agents' threads, one behind another, and their logs.
 */
export async function* exportSession(
  sessions: SessionQueries,
  files: SessionFiles,
  format: ExportFormat,
): AsyncGenerator<string | Uint8Array> {
  const { id } = files;
  switch (format) {
    case "jsonl":
      for (const log of files.main.gone ? files.agents : [files.main]) yield* logBytes(files.root, log);
      return;
    case "messages":
      return yield* lastMessages(sessions, id);
    case "json": {
      const session = await scanned(() => sessions.detail(id));
      yield `{"session":${toPrintableJson(session)},"rows":[`;
      let separator = "\n";
      for (const { agentId } of await threadsOf(sessions, files)) {
        for await (const row of rowsOf(sessions, id, agentId, "everything")) {
          yield separator + toPrintableJson(row);
          separator = ",\n";
        }
      }
      yield "\n]}\n";
      return;
    }
    case "md": {
      const session = await scanned(() => sessions.detail(id));
      yield toText(`# ${session.title}\n\n${factsOf(session)}\n\n`);
      for (const { agentId, name } of await threadsOf(sessions, files)) {
        if (name !== null) yield toText(`# ${name}\n\n`);
        for await (const row of rowsOf(sessions, id, agentId, "tools")) yield toText(rowToMarkdown(row));
      }
      return;
    }
    case "html": {
      const session = await scanned(() => sessions.detail(id));
      yield toText(htmlHead(session.title, factsOf(session)));
      for (const { agentId, name } of await threadsOf(sessions, files)) {
        if (name !== null) yield toText(threadToHtml(name));
        for await (const row of rowsOf(sessions, id, agentId, "tools")) yield toText(rowToHtml(row));
      }
      yield HTML_END;
    }
  }
}

/** Prompts that were pasted on Windows have its line ends. */
function toText(text: string): string {
  return spellControls(text.replaceAll("\r\n", "\n"));
}

function factsOf({ logGone, project, gitBranch, models, startedAtMs, counts }: SessionDetail): string {
  const started = startedAtMs === null ? null : new Date(startedAtMs).toISOString();
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

/** The main thread, or of a session whose log is gone every agent's under its name. */
async function threadsOf(sessions: SessionQueries, { id, main }: SessionFiles): Promise<ExportedThread[]> {
  if (!main.gone) return [{ agentId: null, name: null }];
  const threads: ExportedThread[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await scanned(() => sessions.agents(id, { limit: WINDOW, cursor }));
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
    const { rows, total } = await scanned<RowsResponse>(() => sessions.rows(id, { ...query, from }));
    yield* rows;
    if (from + WINDOW >= total) return;
  }
}

async function* lastMessages(sessions: SessionQueries, id: SessionId): AsyncGenerator<string> {
  const messages = await scanned(() => sessions.conversation(id));
  yield `${toPrintableJson({ source: "rebuilt", messages }, 1)}\n`;
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

/** Asks again until the session has been read. */
async function scanned<T>(ask: () => Promise<OrScanning<T>>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (!(typeof answer === "object" && answer !== null && "scanning" in answer)) return answer;
  }
}
