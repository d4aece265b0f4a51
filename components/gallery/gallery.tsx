"use client";

import { useEffect, useMemo, useState } from "react";
import { type ThreadActions, ThreadContext } from "@/components/content/row-actions";
import { ThreadRow } from "@/components/thread/thread-row";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import { addTo } from "@/lib/format/lists";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** Every tool and every kind of row, opened, in every state that occurs in the available sessions. */
export function Gallery() {
  const [specimens, setSpecimens] = useState<readonly Specimen[]>([]);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    collectSpecimens(setSpecimens, controller.signal).then(
      () => setDone(true),
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(String(error));
      },
    );
    return () => controller.abort();
  }, []);
  const groups = useMemo(() => grouped(specimens), [specimens]);
  return (
    <main
      aria-label="Gallery"
      data-done={done || undefined}
      className="@container/thread h-full overflow-x-hidden overflow-y-auto [--ground:var(--bg)] [--hover:var(--raised)]"
      tabIndex={0}
    >
      <h1 className="px-3 py-2 text-15 font-semibold">
        Gallery{" "}
        <span className="text-12 font-normal text-fg-2">
          {failure ?? `${formatPlural(specimens.length, "row")}, ${formatPlural(groups.length, "kind")}`}
          {!done && !failure && ", still reading"}
        </span>
      </h1>
      {done &&
        groups.map(([group, members]) => (
          <section key={group} data-group={group} aria-label={group}>
            <h2 className="border-y border-line bg-panel px-3 py-1 text-12 font-semibold text-fg-2">
              {group}
            </h2>
            {members.map((specimen) => (
              <SpecimenRow key={specimen.key} specimen={specimen} />
            ))}
          </section>
        ))}
    </main>
  );
}

/** Tools first, by name, then the other kinds of row. */
function grouped(specimens: readonly Specimen[]): [group: string, members: Specimen[]][] {
  const groups = new Map<string, Specimen[]>();
  for (const specimen of specimens) {
    addTo(groups, specimen.group, specimen);
  }
  const rank = (members: readonly Specimen[]) => (members[0]?.row.kind === "tool" ? 0 : 1);
  return [...groups]
    .map(([group, members]): [string, Specimen[]] => [
      group,
      members.sort((a, b) => a.state.localeCompare(b.state)),
    ])
    .sort(([a, one], [b, other]) => rank(one) - rank(other) || a.localeCompare(b));
}

/** An opened row as its thread would show it. Its links do nothing, since there is no thread around it. */
function SpecimenRow({ specimen: { row, sessionId, state } }: { specimen: Specimen }) {
  const [open, setOpen] = useState(true);
  const actions = useMemo(
    (): ThreadActions => ({
      sessionId,
      lane: 0,
      toggleOpen: () => setOpen((old) => !old),
      toggleFold: () => undefined,
      toggleRun: () => undefined,
      inspect: () => undefined,
      openChanges: () => undefined,
      showContext: () => undefined,
      copyLink: () => undefined,
      linkTo: () => window.location.href,
      switchBranch: () => undefined,
      showAgent: () => undefined,
      openAgent: () => undefined,
    }),
    [sessionId],
  );
  return (
    <ThreadContext.Provider value={actions}>
      <div
        data-specimen={row.kind}
        data-state={state}
        data-record-id={row.recordId}
        className="group/row relative"
      >
        <ThreadRow row={row} turnMs={null} open={open && row.kind !== "turn"} selected={false} />
      </div>
    </ThreadContext.Provider>
  );
}

/** A row that represents its kind and state, with the session it comes from. */
export type Specimen = { key: string; group: string; state: string; sessionId: SessionId; row: Row };

const WINDOW_ROWS = 200;
/** How many alike rows to show: output can vary where the state does not. */
const MAX_ALIKE = 1;

/** Reads all sessions and keeps a few rows of each tool, kind and state. `onFound` is called as they arrive. */
async function collectSpecimens(
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
    if (count <= MAX_ALIKE)
      found.push({ key: `${key}|${sessionId}|${row.key}`, group, state, sessionId, row });
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
      // A command's output does not affect its state; the result of an edit or a question does.
      const resultText =
        row.name === "Bash" && !/line|output|background/.test(row.result ?? "") ? "" : (row.result ?? "");
      const result = resultText
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
