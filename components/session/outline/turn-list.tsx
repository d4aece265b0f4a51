import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";
import { type PositionStore, useSlowPosition } from "@/components/thread/thread-position";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import type { ThreadChoice } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import type { AgentEntry, OutlineEntry } from "@/lib/wire/session";
import { TurnEntry } from "./turn-entry";
import { useTurnWindows } from "./use-turn-windows";

/** How often the list follows while the thread is scrolled: each time it may have to draw turns of its own. */
const FOLLOW_MS = 600;

/** The turns of a thread, however many. The one on screen is marked, and kept in view. */
export function TurnList({
  sessionId,
  choice,
  position,
  agents,
  revision,
  onGo,
}: {
  sessionId: SessionId;
  choice: ThreadChoice;
  position: PositionStore;
  agents: readonly AgentEntry[];
  /** Of the session: another one, and the turns are asked for again. */
  revision: number;
  onGo: (go: (jumps: ThreadJumps) => void) => void;
}) {
  const { windows, total, want } = useTurnWindows(sessionId, choice);
  const turn = useSlowPosition(position, (at) => at.turn, FOLLOW_MS);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 6,
    paddingStart: 4,
    paddingEnd: 4,
  });
  const going = useRef(onGo);
  going.current = onGo;
  // Always the same, so that following a scroll draws the two turns that change.
  const go = useCallback<typeof onGo>((to) => going.current(to), []);
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items[items.length - 1]?.index ?? 0;
  useEffect(() => want(first, last), [want, first, last]);
  const renewed = useRef(revision);
  useEffect(() => {
    // A session that was opened before its first line had no turns to ask for.
    const isFirst = renewed.current === 0 && windows.getSnapshot().error === null;
    if (renewed.current !== revision && !isFirst) windows.renew();
    renewed.current = revision;
  }, [windows, revision]);
  useEffect(() => {
    // Turns are numbered from 1 along the branch, so a turn's number is also its place.
    if (turn > 0 && turn <= total) list.scrollToIndex(turn - 1, { align: "auto" });
  }, [turn, total, list]);

  return (
    <div ref={scroller} className="h-full overflow-y-auto" tabIndex={-1}>
      <div
        className="relative"
        // Room for the longest number.
        style={{
          height: list.getTotalSize(),
          ["--mark" as string]: `max(20px, ${String(total).length + 0.5}ch)`,
        }}
      >
        {items.map((item) => {
          const entry = windows.itemAt(item.index);
          const next = windows.itemAt(item.index + 1);
          return (
            <div
              key={item.key}
              ref={entry ? list.measureElement : undefined}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)`, height: entry ? undefined : item.size }}
            >
              {entry && (
                <TurnEntry
                  entry={entry}
                  current={entry.turn === turn}
                  agents={agentsOf(entry, next, agents)}
                  onGo={go}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const NO_AGENTS: AgentEntry[] = [];

/** Agents that started within the turn; an entry has their number, the agents' own list their names. */
function agentsOf(
  entry: OutlineEntry,
  next: OutlineEntry | undefined,
  agents: readonly AgentEntry[],
): AgentEntry[] {
  const { atMs } = entry;
  if (entry.agents === 0 || atMs === null) return NO_AGENTS;
  const endMs = next?.atMs ?? Number.POSITIVE_INFINITY;
  return agents.filter(
    ({ startedAtMs, depth }) =>
      depth === 1 && startedAtMs !== null && startedAtMs >= atMs && startedAtMs < endMs,
  );
}
