import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { Ban, X } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { agentFamilies, outermostOf } from "@/components/session/use-agents";
import { RowTags } from "@/components/thread/rows/row-line";
import type { ThreadTarget } from "@/components/thread/store/thread-journeys";
import { ThreadWindows, useThreadWindows } from "@/components/thread/thread-windows";
import { useSlowPosition } from "@/components/thread/use-thread";
import { Icon } from "@/components/ui/icon";
import { rangeWith } from "@/components/ui/kept-row";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { hasModifier } from "@/lib/client/key-events";
import { formatCompact, formatFailures } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { AgentEntry, OutlineEntry } from "@/lib/wire/session";
import { AgentLine, AgentLines } from "./agent-line";
import { ListFault } from "./list-fault";
import { OutlineRow } from "./outline-row";

/** How often the list follows a scrolling thread: each update may have to render further turns. */
const FOLLOW_MS = 600;

/** The turns of a thread, virtualized. The current one is marked and kept in view. */
export function TurnList({
  sessionId,
  choice,
  only,
  agents,
  shownAgent,
  isOther,
  revision,
  onGo,
}: {
  sessionId: SessionId;
  choice: ThreadChoice;
  /** The turns that are listed, ascending; `null` for all. */
  only: readonly number[] | null;
  agents: readonly AgentEntry[];
  /** The agent whose thread stands in place of this one; its turn is kept in view. */
  shownAgent: AgentEntry | null;
  /** The reader is in another thread than the one listed. */
  isOther: boolean;
  /** The session's revision: when it changes, the turns are refetched. */
  revision: number;
  onGo: Go;
}) {
  const { windows, total, isEmpty, error, want } = useTurnWindows(sessionId, choice);
  const readTurn = useSlowPosition((at) => at.turn, FOLLOW_MS);
  const agentTurn = useTurnOf(sessionId, choice, shownAgent && outermostOf(agents, shownAgent.agentId));
  const turn = isOther ? (agentTurn ?? 0) : readTurn;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useFollowingList(scroller, only, total, turn);
  const go = useStableGo(onGo);
  const families = useMemo(() => agentFamilies(agents), [agents]);
  const items = list.getVirtualItems();
  // Turns are numbered from 1 along the branch, so a turn's place is its number minus one.
  const placeOf = (index: number) => (only?.[index] ?? index + 1) - 1;
  const first = placeOf(items[0]?.index ?? 0);
  const last = placeOf(items[items.length - 1]?.index ?? 0);
  useEffect(() => want(first, last), [want, first, last]);
  useRenewedTurns(windows, revision);
  const ends = useListEnds(scroller, list.scrollToIndex, (only?.length ?? total) - 1);

  return (
    <div ref={scroller} {...ends} className="h-full overflow-y-auto" tabIndex={-1}>
      {/* Before its first line a session has no turns to be read. */}
      {error && revision > 0 && <ListFault error={error} onRetry={() => windows.retry()} />}
      {(isEmpty || only?.length === 0) && (
        <p className="px-3 py-2 text-12 text-fg-3">
          {isEmpty ? "No prompts in this session." : "No turns in this part of the session."}
        </p>
      )}
      <div
        className="relative"
        // Room for the longest turn number.
        style={{
          height: list.getTotalSize(),
          ["--mark" as string]: `max(20px, ${String(total).length + 0.5}ch)`,
        }}
      >
        {items.map((item) => {
          const place = placeOf(item.index);
          const entry = windows.itemAt(place);
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
                  current={entry.turn === turn && !isOther}
                  families={families}
                  shownAgent={shownAgent?.agentId ?? null}
                  isOther={isOther}
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

/**
 * The list of turns, which brings the current one into view whenever that is another.
 * @param only the turns that are listed; `null` for all
 */
function useFollowingList(
  scroller: RefObject<HTMLDivElement | null>,
  only: readonly number[] | null,
  total: number,
  turn: number,
) {
  const list = useVirtualizer({
    count: only?.length ?? total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 6,
    paddingStart: 4,
    paddingEnd: 4,
    // The entry with the focus stays in the page, also when those above it turn out higher than was estimated.
    rangeExtractor: (range) => rangeWith(range, focusedIndex(scroller.current)),
  });
  useEffect(() => {
    const index = only ? only.indexOf(turn) : turn - 1;
    if (index >= 0 && turn <= total) list.scrollToIndex(index, { align: "auto" });
  }, [turn, total, only, list]);
  return list;
}

type Go = (target: ThreadTarget, record: RecordId) => void;

/** The same function in each drawing, so that following a scroll draws only the two turns again that change. */
function useStableGo(onGo: Go): Go {
  const going = useRef(onGo);
  going.current = onGo;
  return useCallback<Go>((...to) => going.current(...to), []);
}

/** Asks for the turns again when the session has changed. */
function useRenewedTurns(windows: ThreadWindows<OutlineEntry>, revision: number): void {
  const renewed = useRef(revision);
  useEffect(() => {
    // A session opened before its first line was written had no turns to fetch.
    const isFirst = renewed.current === 0 && windows.getSnapshot().error === null;
    if (renewed.current !== revision && !isFirst) windows.renew();
    renewed.current = revision;
  }, [windows, revision]);
}

/** The index of the entry that has the focus; -1 if none has. */
function focusedIndex(list: HTMLElement | null): number {
  const entry = document.activeElement?.closest<HTMLElement>("[data-index]");
  return entry && list?.contains(entry) ? Number(entry.dataset.index) : -1;
}

/** Home and End go to the list's first and last entry, which may have to be drawn and loaded before it takes the focus. */
function useListEnds(
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number, options: { align: "start" | "end" }) => void,
  last: number,
) {
  const goal = useRef<{ index: number; end: "start" | "end" } | null>(null);
  const reach = () => {
    const { index, end } = goal.current ?? {};
    const entries = scroller.current?.querySelectorAll<HTMLElement>(`[data-index="${index}"] [data-roving]`);
    const entry = entries?.[end === "end" ? entries.length - 1 : 0];
    if (!entry) return;
    goal.current = null;
    entry.focus();
  };
  const giveUp = () => {
    goal.current = null;
  };
  useEffect(reach);
  return {
    onKeyDown: (event: KeyboardEvent) => {
      giveUp();
      const end = hasModifier(event) ? null : ({ Home: "start", End: "end" } as const)[event.key];
      if (!end) return;
      event.preventDefault();
      goal.current = { index: end === "end" ? last : 0, end };
      scrollTo(goal.current.index, { align: end });
      reach();
    },
    onPointerDown: giveUp,
    onWheel: giveUp,
  };
}

/** A turn in the outline, with a preceding compaction and the turn's agents. */
const TurnEntry = memo(function TurnEntry({
  entry,
  current,
  families,
  shownAgent,
  isOther,
  onGo,
}: {
  entry: OutlineEntry;
  current: boolean;
  families: ReturnType<typeof agentFamilies>;
  shownAgent: AgentId | null;
  isOther: boolean;
  onGo: Go;
}) {
  const { turn, prompt, errors, denied, added, removed, compactedBefore, marks } = entry;
  // Made here: as a property it would be another list each time, and have every turn drawn anew.
  const agents = entry.agentIds.flatMap((id) => families.get(id) ?? []);
  return (
    <>
      {compactedBefore && <CompactionLine {...compactedBefore} />}
      <OutlineRow
        mark={turn}
        current={current}
        title={labelHidden(prompt)}
        onClick={() => onGo(isOther ? { record: entry.recordId } : { row: entry.row }, entry.recordId)}
        facts={
          <>
            <RowTags marks={marks} />
            {errors > 0 && (
              <span
                className={clsx("flex self-center", errors > denied ? "text-err" : "text-warn")}
                title={formatFailures(errors - denied, denied)}
              >
                <Icon of={errors > denied ? X : Ban} small />
                <span className="sr-only">{formatFailures(errors - denied, denied)}</span>
              </span>
            )}
            <ChangedLines added={added} removed={removed} />
          </>
        }
      >
        <span className={marks ? "text-fg-3" : ""}>
          <VisibleText text={prompt || "(no text)"} />
        </span>
      </OutlineRow>
      <AgentLines>
        {agents.map((agent) => (
          <AgentLine
            key={agent.agentId}
            agent={agent}
            current={agent.agentId === shownAgent}
            onGo={(record) => onGo({ record }, record)}
          />
        ))}
      </AgentLines>
    </>
  );
});

function CompactionLine({ preTokens, postTokens }: { preTokens: number | null; postTokens: number | null }) {
  return (
    <div className="grid min-h-6 grid-cols-[var(--mark,20px)_minmax(0,1fr)] items-center gap-x-2 px-3 text-11 text-fg-3 tabular-nums">
      <span aria-hidden="true" className="ml-auto h-1 w-3 border-y border-fg-3" />
      <span>
        Compacted
        {preTokens !== null && ` ${formatCompact(preTokens)}`}
        {preTokens !== null && postTokens !== null && ` → ${formatCompact(postTokens)}`}
      </span>
    </div>
  );
}

/** The turn of the thread in which an agent was started; `null` until that is known, and where no call is. */
function useTurnOf(sessionId: SessionId, choice: ThreadChoice, agent: AgentEntry | null): number | null {
  const record = agent?.parentRecordId ?? null;
  const { data } = useQuery({
    queryKey: ["turn-of", sessionId, choice.branch, record],
    queryFn: async ({ signal }) => {
      const { rows, at, from } = await api.rows(
        sessionId,
        { branch: choice.branch, agent: null, detail: "tools", fold: null, around: record, count: 1 },
        { signal },
      );
      return at === null ? null : (rows[at - from]?.turn ?? null);
    },
    enabled: record !== null,
    staleTime: 60_000,
  });
  return data ?? null;
}

type TurnWindows = ThreadWindows<OutlineEntry>;

/**
 * The turns of a thread. A different view of the thread (a run opened, a turn folded) moves turns to other rows, so the
 * old list stays on screen until the new entries are loaded.
 */
function useTurnWindows(
  sessionId: SessionId,
  choice: ThreadChoice,
): {
  windows: TurnWindows;
  total: number;
  /** The server has answered that there are none. */
  isEmpty: boolean;
  error: Error | null;
  want: (first: number, last: number) => void;
} {
  const latest = useLatestWindows(sessionId, choice);
  const [shown, setShown] = useState(latest);
  const [wanted, setWanted] = useState({ first: 0, last: 0 });
  const { total, revision, error } = useThreadWindows(shown);
  const latestState = useThreadWindows(latest);
  if (shown !== latest && (latestState.error || isLoaded(latest, latestState.total, wanted)))
    setShown(latest);
  const want = useCallback((first: number, last: number) => setWanted({ first, last }), []);
  useEffect(() => latest.want(wanted.first, wanted.last), [latest, wanted]);
  const isEmpty = total === 0 && revision > 0 && error === null;
  return { windows: shown, total, isEmpty, error, want };
}

function isLoaded(
  windows: TurnWindows,
  total: number,
  { first, last }: { first: number; last: number },
): boolean {
  if (windows.getSnapshot().loaded === 0) return false;
  for (let turn = first; turn <= Math.min(last, total - 1); turn++) if (!windows.itemAt(turn)) return false;
  return true;
}

function useLatestWindows(sessionId: SessionId, choice: ThreadChoice): TurnWindows {
  const windows = useMemo(() => {
    const { branch, detail, fold, runs } = choice;
    return new ThreadWindows<OutlineEntry>(async (from, count, signal) => {
      const query = { branch, detail, fold, runs, from, count };
      const answer = await api.outline(sessionId, query, { signal });
      return { revision: answer.revision, total: answer.total, from: answer.from, items: answer.turns };
    });
  }, [sessionId, choice]);
  const isMain = choice.agent === null;
  useEffect(() => {
    // The first page tells how many turns there are. An agent's thread has no outline.
    if (isMain) windows.begin();
    return () => windows.dispose();
  }, [windows, isMain]);
  return windows;
}
