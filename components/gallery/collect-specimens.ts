import { api } from "@/lib/client/api";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** A row that stands for its kind and state, and the session it is from. */
export type Specimen = { key: string; group: string; state: string; sessionId: SessionId; row: Row };

const WINDOW_ROWS = 200;
/** Rows that look alike are shown this often: what a tool printed differs where its state does not. */
const ALIKE = 1;

/** Reads all sessions and keeps a few rows of each tool, kind and state. `onFound` hears of them as they come. */
export async function collectSpecimens(
  onFound: (specimens: readonly Specimen[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const counts = new Map<string, number>();
  const found: Specimen[] = [];
  const take = (sessionId: SessionId, row: Row) => {
    const { group, state, variety } = kindOf(row);
    const key = `${group}|${state}|${variety}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= ALIKE) found.push({ key: `${key}|${sessionId}|${row.key}`, group, state, sessionId, row });
  };
  for (const sessionId of await allSessions(signal)) {
    if (signal.aborted) return;
    const { agents } = await api.agents(sessionId, { limit: 200 }, { signal });
    for (const agent of [null, ...agents.map(({ agentId }) => agentId)]) {
      for await (const rows of windowsOf(sessionId, agent, signal))
        for (const row of rows) take(sessionId, row);
    }
    onFound([...found]);
  }
}

async function allSessions(signal: AbortSignal): Promise<SessionId[]> {
  const ids: SessionId[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.sessions>> = await api.sessions(
      { limit: 200, cursor },
      { signal },
    );
    ids.push(...page.sessions.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

async function* windowsOf(sessionId: SessionId, agent: AgentId | null, signal: AbortSignal) {
  for (let from = 0; ; ) {
    const { rows, total } = await api.rows(
      sessionId,
      { agent, detail: "everything", from, count: WINDOW_ROWS },
      { signal },
    );
    yield rows;
    from += rows.length;
    if (from >= total || rows.length === 0) return;
  }
}

function kindOf(row: Row): { group: string; state: string; variety: string } {
  switch (row.kind) {
    case "tool": {
      // What a command printed says nothing of its state; what an edit or a question came to does.
      const words =
        row.name === "Bash" && !/line|output|background/.test(row.result ?? "") ? "" : (row.result ?? "");
      const result = words
        .replace(/[\d.,]+/g, "0")
        .replace(/lines\b/, "line")
        .slice(0, 24);
      const change = row.added === null ? "" : "change";
      return {
        group: row.server ? `MCP ${row.name}` : row.name,
        state: row.state,
        variety: `${row.state === "ok" ? result : ""}${change}${row.blobs.length > 0 ? "blob" : ""}`,
      };
    }
    case "event":
      return { group: `event ${row.event}`, state: row.level, variety: "" };
    case "context":
      return { group: "context", state: row.label.replace(/[\d.,]+/g, "0"), variety: "" };
    case "bookkeeping":
    case "unknown":
      return { group: row.kind, state: row.type, variety: "" };
    case "turn":
      return { group: "turn", state: row.source, variety: row.blobs.length > 0 ? "blob" : "" };
    case "thinking":
      return { group: "thinking", state: row.redacted ? "redacted" : "", variety: "" };
    default:
      return { group: row.kind, state: "", variety: "" };
  }
}
