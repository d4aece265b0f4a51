import { useSyncExternalStore } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { nameOfAgent, useAgent } from "@/components/session/use-agents";
import { useSlowPosition, useThreadState } from "@/components/thread/use-thread";
import { Foot, type FootKeys } from "@/components/ui/frame/frame";
import { LiveDot } from "@/components/ui/marks";
import { Elapsed, Moment } from "@/components/ui/time";
import { type ThreadChoice, type ThreadUrl, viewOf } from "@/lib/client/address/session-url";
import { useLastKnown } from "@/lib/client/connection/last-known";
import { isLive, useLiveState } from "@/lib/client/live-states";
import { useHealth } from "@/lib/client/use-health";
import {
  formatBytes,
  formatClockSeconds,
  formatCount,
  formatElapsed,
  formatPlural,
} from "@/lib/format/format";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import { isInProgress } from "@/lib/wire/library";
import type { SessionDetail } from "@/lib/wire/session";

const KEYS: FootKeys = [
  [["j", "k"], "row"],
  [["J", "K"], "turn"],
  [["[", "]"], "error"],
  [["o"], "open"],
  [["e"], "open all"],
  [["/"], "find"],
  [["i"], "inspect"],
  [["?"], "all keys"],
];

/** Numbers that change faster cannot be read. */
const NUMBERS_MS = 300;

const GRAPH_KEYS: FootKeys = [
  [["←", "→"], "parent, child"],
  [["↑", "↓"], "agent, branch"],
  [["e"], "expand"],
  [["↵"], "open in the thread"],
  [["0"], "fit all"],
  [["g"], "thread"],
  [["?"], "all keys"],
];

const CHANGES_KEYS: FootKeys = [
  [["d"], "changes of the turn"],
  [["D"], "all changes"],
  [["Esc"], "back to the thread"],
  [["?"], "all keys"],
];

const FILE_KEYS: FootKeys = [
  [["←", "→"], "version"],
  [["⇧←", "⇧→"], "compared version"],
  [["j", "k"], "line"],
  [["o"], "its row"],
  [["b"], "blame"],
  [["↵"], "row that made it"],
  [["Esc"], "all files"],
  [["?"], "all keys"],
];

const CONTEXT_KEYS: FootKeys = [
  [["←", "→"], "request"],
  [["PgUp", "PgDn"], "miss or compaction"],
  [["↵"], "what the model saw"],
  [["Esc"], "back to the thread"],
  [["?"], "all keys"],
];

const COMPARE_KEYS: FootKeys = [
  [["j", "k"], "row, both sides"],
  [["n", "N"], "difference"],
  [["o"], "unfold"],
  [["X"], "swap"],
  [["↵"], "open in the thread"],
  [["Esc"], "back to the thread"],
  [["?"], "all keys"],
];

const WATERFALL_KEYS: FootKeys = [
  [["j", "k"], "step"],
  [["+", "−"], "zoom"],
  [["z"], "zoom to it"],
  [["p"], "critical path"],
  [["↵"], "open in the thread"],
  [["w"], "thread"],
  [["?"], "all keys"],
];

const KEYS_OF = {
  thread: KEYS,
  graph: GRAPH_KEYS,
  changes: CHANGES_KEYS,
  context: CONTEXT_KEYS,
  waterfall: WATERFALL_KEYS,
  compare: COMPARE_KEYS,
};

/** The views that are at a row of the thread, and take it along. The others have a place of their own. */
const HAS_THREADS_PLACE = {
  thread: true,
  graph: true,
  changes: false,
  context: false,
  waterfall: false,
  compare: false,
};

function keysOf(url: Pick<ThreadUrl, "view" | "file">): FootKeys {
  const view = viewOf(url);
  return view === "changes" && url.file !== null ? FILE_KEYS : KEYS_OF[view];
}

/** The line at the foot: where the reader is, the keys, how much log there is. */
export function SessionFoot() {
  const { session, choice, url, store } = useSessionPage();
  // How many rows it has is not known while only its beginning is there.
  const isWhole = useThreadState(store.thread, ({ thread }) => thread !== null);
  const tellsRow = isWhole && HAS_THREADS_PLACE[viewOf(url)];
  return (
    <Foot
      left={
        <>
          {tellsRow && isLive(session) && isWhereRowsCome(choice, session) && <Following />}
          {isLive(session) && <Polled />}
          {tellsRow && <RowOf />}
          {choice.agent === null ? (
            <span>{threadWords(choice, session)}</span>
          ) : (
            <AgentWords agentId={choice.agent} />
          )}
        </>
      }
      keys={keysOf(url)}
      right={
        <>
          {session && <LastLine sessionId={session.id} />}
          {session && (
            <span>
              {formatPlural(session.counts.records, "record")} · {formatBytes(session.bytes)}
            </span>
          )}
        </>
      }
    />
  );
}

/** Rows that come are brought into view; of a server that is lost none come. */
function Following() {
  const atEnd = useSlowPosition((at) => at.atEnd, NUMBERS_MS);
  const isLost = useLastKnown() !== null;
  if (!atEnd || isLost) return null;
  return (
    <span className="flex items-center gap-1.5">
      <LiveDot />
      Following
    </span>
  );
}

/** Rows come later than they could. */
function Polled() {
  const polled = useHealth().data?.watching.polled ?? 0;
  if (polled === 0) return null;
  return <span className="text-warn">Out of file watches: polled every 2 s</span>;
}

/** Of a session that is at something: how fresh that is. */
function LastLine({ sessionId }: { sessionId: SessionId }) {
  const live = useLiveState(sessionId);
  if (!live || live.lastLineAtMs === null || !isInProgress(live)) return null;
  return (
    <span className="max-md:hidden">
      last line <Elapsed sinceMs={live.lastLineAtMs} format={formatElapsed} /> ago
    </span>
  );
}

function RowOf() {
  const row = useSlowPosition(
    ({ selected, first, last }) =>
      selected !== null && selected >= first && selected <= last ? selected : first,
    NUMBERS_MS,
  );
  const total = useSlowPosition((at) => at.total, NUMBERS_MS);
  if (total === 0) return null;
  return (
    <>
      <span>
        row {formatCount(row + 1)} of {formatCount(total)}
      </span>
      <RowTime row={row} />
    </>
  );
}

/** When the row was written. Rows themselves say how long they took. */
function RowTime({ row }: { row: number }) {
  const { store } = useSessionPage();
  const windows = useThreadState(store.thread, ({ thread }) => thread?.windows ?? null);
  const subscribe = windows?.subscribe ?? NOTHING_TO_FOLLOW;
  const atMs = useSyncExternalStore(subscribe, () => windows?.itemAt(row)?.atMs ?? null);
  if (atMs === null) return null;
  return <Moment atMs={atMs} clock={formatClockSeconds} className="max-lg:hidden" />;
}

const NOTHING_TO_FOLLOW = () => () => undefined;

function AgentWords({ agentId }: { agentId: AgentId }) {
  const { sessionId } = useSessionPage();
  const agent = useAgent(sessionId, agentId);
  return <span className="max-w-80 truncate">agent {agent ? nameOfAgent(agent) : agentId}</span>;
}

/** A branch that was left gets no more rows. */
function isWhereRowsCome({ branch, agent }: ThreadChoice, session: SessionDetail | null): boolean {
  return (
    agent !== null || branch === null || session?.branches.find(({ id }) => id === branch)?.active === true
  );
}

function threadWords({ branch }: ThreadChoice, session: SessionDetail | null): string {
  const count = session?.counts.branches ?? 1;
  if (count <= 1) return "main thread";
  const shown = session?.branches.find(({ id, active }) => (branch ? id === branch : active));
  return shown
    ? `main thread, branch ${shown.number} of ${count}`
    : `main thread, another of ${count} branches`;
}
