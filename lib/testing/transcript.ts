import { Catalog } from "@/lib/server/library/catalog";
import type { Config } from "@/lib/server/runtime/config";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, BranchId, SessionId } from "@/lib/wire/ids";
import type { Detail, Row, RowsResponse } from "@/lib/wire/rows";
import type { AgentEntry, SessionDetail } from "@/lib/wire/session";

const WORDS = 56;

/** A folder of logs opened as the server opens it, scanned in this thread. */
export type OpenFolder = { catalog: Catalog; sessions: SessionQueries };

/** What a server is told that reads one configuration folder, and keeps nothing. */
export function configFor(dir: string): Config {
  return {
    roots: [{ path: dir, kind: "config" }],
    dataDir: null,
    archiveDir: null,
    annotationsDir: null,
    flags: [],
    demo: false,
    version: "test",
    build: "",
    warnings: [],
  };
}

/** Opens a configuration folder (the one that holds `projects/`). */
export async function openFolder(path: string): Promise<OpenFolder> {
  const catalog = new Catalog([{ path, kind: "config" }]);
  await catalog.list();
  return { catalog, sessions: createSessions(catalog, { scan }) };
}

/** All that is made piece by piece, in order. */
export async function gathered<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** The id of the session whose main log is `<uuid>.jsonl`. Throws if there is none. */
export function idOf({ catalog }: OpenFolder, uuid: string): SessionId {
  const found = catalog.summaries().find(({ id }) => id.includes(uuid));
  if (!found) throw new Error(`No session ${uuid} is listed`);
  return found.id;
}

/** Waits out a first scan, which may take longer than a request should. */
export async function settled<T extends object>(
  ask: () => Promise<T>,
): Promise<Exclude<T, { scanning: unknown }>> {
  for (;;) {
    const answer = await ask();
    if (!("scanning" in answer)) return answer as Exclude<T, { scanning: unknown }>;
  }
}

/** The facts of a session, as soon as it has been read. */
export function detailOf(folder: OpenFolder, id: SessionId): Promise<SessionDetail> {
  return settled(() => folder.sessions.detail(id));
}

/** All rows of one thread at one detail. */
export async function rowsOf(
  { sessions }: OpenFolder,
  id: SessionId,
  detail: Detail,
  thread: { branch?: BranchId; agent?: AgentId } = {},
): Promise<RowsResponse> {
  const { branch = null, agent = null } = thread;
  const query = { branch, agent, detail, fold: [], from: 0, count: 1_000_000, around: null };
  return settled(() => sessions.rows(id, query));
}

/**
 * A session as a person would tell it: a line a row, agents indented below the call that started
 * them, and below that the branches not taken, by their prompts.
 */
export async function transcriptOf(
  folder: OpenFolder,
  uuid: string,
  detail: Detail = "tools",
): Promise<string[]> {
  const id = idOf(folder, uuid);
  const { agents } = await settled(() => folder.sessions.agents(id, { limit: 1000, cursor: null }));
  const lines = await threadLines(folder, id, detail, agents, null);
  for (const agent of agents.filter((one) => one.parentRecordId === null)) {
    lines.push(`agent that no call started: ${agent.agentId.replace(/[0-9a-f]{6,}/, "…")}`);
    lines.push(...indent(await threadLines(folder, id, detail, agents, agent.agentId)));
  }
  const { branches } = await detailOf(folder, id);
  for (const branch of branches.filter((one) => !one.active)) {
    const { rows } = await rowsOf(folder, id, "prompts", { branch: branch.id });
    lines.push(
      `another branch: ${rows
        .filter((row) => row.kind === "turn")
        .map((row) => words(row.prompt.text))
        .join(" / ")}`,
    );
  }
  return lines;
}

async function threadLines(
  folder: OpenFolder,
  id: SessionId,
  detail: Detail,
  agents: readonly AgentEntry[],
  agent: AgentId | null,
): Promise<string[]> {
  const { rows } = await rowsOf(folder, id, detail, agent === null ? {} : { agent });
  const lines: string[] = [];
  for (const row of rows) {
    const line = lineOf(row);
    if (line !== null)
      lines.push(row.kind === "turn" || row.kind === "fork" || row.turn === 0 ? line : `  ${line}`);
    if (row.kind !== "tool") continue;
    const started = agents.filter(
      (one) => one.parentToolUseId !== null && one.parentToolUseId === row.toolUseId,
    );
    for (const one of started) {
      lines.push(`    agent ${one.type ?? "of no type"} “${one.description ?? ""}” ${one.state}`);
      lines.push(...indent(await threadLines(folder, id, detail, agents, one.agentId), "      "));
    }
  }
  return lines;
}

function lineOf(row: Row): string | null {
  switch (row.kind) {
    case "turn": {
      const source =
        row.source === "typed" || row.source === "sdk" || row.source === "agent" ? "" : ` (${row.source})`;
      const images = row.blobs.map((blob) => ` [${blob.kind}]`).join("");
      return `turn ${row.turn}${source}: ${words(row.prompt.text)}${images}`;
    }
    case "text":
      return `“${words(row.text.text)}”`;
    case "thinking":
      return row.redacted ? "thinks: (redacted)" : `thinks: ${words(row.text.text)}`;
    case "tool": {
      const outcome = [row.result ?? (row.state === "ok" ? "" : row.state), change(row.added, row.removed)]
        .filter(Boolean)
        .join(" ");
      const images = row.blobs.map((blob) => ` [${blob.kind}]`).join("");
      return `${row.server ? `${row.server}:` : ""}${row.name} ${words(row.subject)}${row.aside ? ` (${words(row.aside)})` : ""}${outcome ? ` → ${outcome}` : ""}${images}`;
    }
    case "run":
      return `${row.open ? "▾" : "▸"} ${row.name} ${row.subject}: ${words(row.aside)}${change(row.added, row.removed)}`;
    case "agent-return":
      return `answer${row.notified ? ", notified" : ""}: ${words(row.text.text)}`;
    case "blob":
      return `[${row.blob.kind}]`;
    case "compaction":
      return `── compacted (${row.trigger ?? "?"})${row.summary ? "" : ", no summary"} ──`;
    case "fork":
      return `fork: ${row.branches.length} branches, reading ${row.branches.findIndex(({ current }) => current) + 1}`;
    case "event":
      return `[${row.level === "info" ? "" : `${row.level}: `}${words(row.label)}]${row.text.text ? ` ${words(row.text.text)}` : ""}`;
    case "context":
      return `(${row.label})`;
    case "bookkeeping":
      return `· ${row.type}`;
    case "unknown":
      return `unknown ${row.type}`;
    case "unreadable":
      return `unreadable line ${row.line}: ${row.reason}`;
    default:
      return `${(row as Row).kind} row`;
  }
}

function change(added: number | null, removed: number | null): string {
  return added === null ? "" : `+${added} −${removed}`;
}

/** First words on one line. The scenario's name is for the machine that answered. */
function words(text: string): string {
  const line = text
    .replace(/ ?SCENARIO:[a-z0-9-]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > WORDS ? `${line.slice(0, WORDS).trimEnd()}…` : line;
}

function indent(lines: readonly string[], by = "  "): string[] {
  return lines.map((line) => by + line);
}
