import { spellControls, toPrintableJson } from "@/lib/text/control-characters";
import { formatPlural } from "@/lib/text/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { Detail, Row, RowsResponse } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import { openConfined } from "../catalog/confined-file";
import type { SessionFiles } from "../catalog/session-files";
import type { OrScanning, SessionQueries } from "../session-queries";
import { HTML_END, htmlHead, rowToHtml } from "./export-html";
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
 */
export async function* exportSession(
  sessions: SessionQueries,
  files: SessionFiles,
  format: ExportFormat,
): AsyncGenerator<string | Uint8Array> {
  const { id } = files;
  switch (format) {
    case "jsonl":
      return yield* mainLog(files);
    case "messages":
      return yield* lastMessages(sessions, id);
    case "json": {
      const session = await scanned(() => sessions.detail(id));
      yield `{"session":${toPrintableJson(session)},"rows":[`;
      let separator = "\n";
      for await (const row of rowsOf(sessions, id, "everything")) {
        yield separator + toPrintableJson(row);
        separator = ",\n";
      }
      yield "\n]}\n";
      return;
    }
    case "md": {
      const session = await scanned(() => sessions.detail(id));
      yield toText(`# ${session.title}\n\n${factsOf(session)}\n\n`);
      for await (const row of rowsOf(sessions, id, "tools")) yield toText(rowToMarkdown(row));
      return;
    }
    case "html": {
      const session = await scanned(() => sessions.detail(id));
      yield toText(htmlHead(session.title, factsOf(session)));
      for await (const row of rowsOf(sessions, id, "tools")) yield toText(rowToHtml(row));
      yield HTML_END;
    }
  }
}

/** Prompts that were pasted on Windows have its line ends. */
function toText(text: string): string {
  return spellControls(text.replaceAll("\r\n", "\n"));
}

function factsOf({ project, gitBranch, models, startedAtMs, counts }: SessionDetail): string {
  const started = startedAtMs === null ? null : new Date(startedAtMs).toISOString();
  return [
    project.path,
    gitBranch,
    models.join(", "),
    started,
    `${formatPlural(counts.turns, "turn")}, ${formatPlural(counts.toolCalls, "tool call")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

async function* rowsOf(sessions: SessionQueries, id: SessionId, detail: Detail): AsyncGenerator<Row> {
  const query = { branch: null, agent: null, detail, fold: [], count: WINDOW, around: null };
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

async function* mainLog({ root, main }: SessionFiles): AsyncGenerator<Uint8Array> {
  const handle = await openConfined(root, main.path);
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
