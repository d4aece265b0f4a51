import { useCallback, useMemo, useRef, useState } from "react";
import { useBriefKey } from "@/components/brief/use-brief-key";
import { useContextKey } from "@/components/context/use-context-key";
import { useGraphView } from "@/components/graph/use-graph-view";
import { Outline } from "@/components/outline/outline";
import { Panes } from "@/components/panes/panes";
import { usePaneKeys } from "@/components/panes/use-pane-keys";
import { PrintSheet } from "@/components/print/print-sheet";
import { usePrint } from "@/components/print/use-print";
import { useFind } from "@/components/search/use-find";
import { Frame } from "@/components/ui/frame";
import { cx } from "@/lib/client/class-names";
import { LiveViewsContext } from "@/lib/client/live-views";
import { parsePanes } from "@/lib/client/panes";
import { parsePlace } from "@/lib/client/thread-permalink";
import { PositionStore } from "@/lib/client/thread-position";
import { type ThreadUrl, useThreadUrl } from "@/lib/client/thread-url";
import { toggled } from "@/lib/client/toggled";
import { useRestingKeys } from "@/lib/client/use-resting-keys";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { addressOf } from "./address-of";
import { useChangesView } from "./changes/use-changes-view";
import { useOpenChanges } from "./changes/use-open-changes";
import { SessionCovers } from "./session-covers";
import { SessionFoot } from "./session-foot";
import { SessionTabBar } from "./session-tab-bar";
import { SessionTop } from "./session-top";
import { ThreadContext } from "./thread-context";
import { ThreadPane } from "./thread-pane";
import { ToolBar } from "./tool-bar";
import { useFollowPreference } from "./use-follow-preference";
import { useFollowedSession } from "./use-followed-session";
import { useInspector } from "./use-inspector";
import { useKeptPlace } from "./use-kept-place";
import { usePageActions } from "./use-page-actions";
import { useThread } from "./use-thread";
import { useThreadChoice } from "./use-thread-choice";
import { useThreadErrors } from "./use-thread-errors";
import type { ThreadHandle } from "./use-thread-handle";
import { useThreadJumps } from "./use-thread-jumps";
import { useThreadKeys } from "./use-thread-keys";

/** Keys that act on the thread and on what stands beside it. */
const COVERED_KEYS = ["thread", "brief", "context", "panes", "find"];

/** The session page around its thread: bars, outline, inspector, and what the address says about them. */
export function SessionView({ sessionId, session }: { sessionId: SessionId; session: SessionDetail | null }) {
  const [url, setUrl] = useThreadUrl();
  const choice = useThreadChoice(url);
  const handle = useRef<ThreadHandle>(null);
  const [position] = useState(() => new PositionStore());
  const [open, setOpen] = useState(() => openAtFirst(url.at));
  const [outlineOpen, setOutlineOpen] = useState(false);

  const place = useKeptPlace(sessionId, choice, url, handle);
  const state = useThread(
    sessionId,
    choice,
    url.at,
    () => handle.current?.anchor() ?? place(),
    url.follow === "1",
    (where) => setUrl(addressOf(where, url)),
  );
  const { stream, views, seenMs } = useFollowedSession(sessionId, session, choice, state, {
    url,
    setUrl,
    position,
  });
  const jumps = useThreadJumps(sessionId, state.thread, handle, position, (where, at) => {
    goTo({ ...addressOf(where, url), at });
  });
  const errors = useThreadErrors(sessionId, state.thread);
  // Agents and contexts need the room; a lone record's facts do not.
  const outlineShown = !parsePanes(url.panes).some(({ kind }) => kind === "agent" || kind === "context");
  const graph = useGraphView(url, setUrl, { handle, jumps, thread: state.thread, position });
  const changes = { shown: url.view === "changes", close: () => setUrl({ view: null }) };
  const covered = graph.shown || changes.shown;

  const change = useCallback((key: string) => setOpen((old) => toggled(old, key)), []);
  const openChanges = useOpenChanges();
  const actions = usePageActions(sessionId, url, setUrl, change, openChanges, handle);
  const inspector = useInspector(url, setUrl, {
    handle,
    position,
    thread: state.thread,
    inspect: actions.inspect,
  });
  const find = useFind({
    sessionId,
    choice,
    // What is selected in the graph moves the thread when the thread is back.
    at: graph.shown ? null : url.at,
    thread: state.thread,
    jumps,
    handle,
    setOpen,
    setUrl,
  });
  const found = useMemo(
    () => find.hits.flatMap(({ agentId, recordId }) => (agentId === choice.agent ? [recordId] : [])),
    [find.hits, choice.agent],
  );
  useContextKey(url.panes, setUrl, handle);
  usePaneKeys(url.panes, setUrl, actions, handle);
  const { printed, print } = usePrint(sessionId, choice, position);
  useBriefKey(handle, jumps, position, actions.toggleOpen);
  useThreadKeys({
    actions,
    handle,
    jumps,
    position,
    thread: state.thread ?? state.beginning,
    setOpen,
    setUrl,
    inspected: inspector.inspected,
    closeInspector: inspector.close,
    choice,
    runs: url.runs,
  });
  useFollowPreference(session, url, state.thread !== null, handle, position);
  useChangesView(changes.shown, changes.close, handle, position);
  useRestingKeys(covered, COVERED_KEYS);

  return (
    <ThreadContext.Provider value={actions}>
      <Frame
        top={
          <SessionTop
            session={session}
            sessionId={sessionId}
            view={graph.shown ? "graph" : "thread"}
            onView={(view) => (view === "graph") !== graph.shown && graph.toggle()}
          />
        }
        foot={
          <>
            <SessionFoot
              position={position}
              choice={choice}
              session={session}
              graphShown={graph.shown}
              isWhole={state.thread !== null}
            />
            <SessionTabBar
              onOutline={() => setOutlineOpen(!outlineOpen)}
              jumps={jumps}
              errors={errors}
              graphShown={graph.shown}
              onGraph={graph.toggle}
            />
          </>
        }
        bodyClass={cx(
          "relative max-md:grid-cols-1",
          outlineShown ? "grid-cols-[248px_minmax(0,1fr)]" : "grid-cols-[minmax(0,1fr)]",
        )}
      >
        <SessionCovers
          sessionId={sessionId}
          root={session?.project.path ?? null}
          at={url.at}
          thread={state.thread}
          graph={graph}
          changes={changes}
        />
        <div className="contents *:min-h-0 *:min-w-0" inert={covered}>
          {outlineShown || outlineOpen ? (
            <Outline
              sessionId={sessionId}
              session={session}
              choice={choice}
              position={position}
              sheetOpen={outlineOpen}
              onClose={() => setOutlineOpen(false)}
              onGo={jumps}
            />
          ) : null}
          <LiveViewsContext value={views}>
            <div className="flex min-h-0 min-w-0">
              <div className="grid min-w-0 flex-1 grid-rows-[auto_minmax(0,1fr)]">
                <ToolBar
                  session={session}
                  choice={choice}
                  position={position}
                  setUrl={setUrl}
                  onGo={goTo}
                  jumps={jumps}
                  errors={errors}
                  find={find}
                  inspecting={inspector.inspected !== null}
                  onInspect={inspector.toggle}
                  onPrint={print}
                />
                <ThreadPane
                  state={state}
                  open={open}
                  position={position}
                  handle={handle}
                  choice={choice}
                  session={session}
                  stream={stream}
                  seenMs={seenMs}
                  hits={found}
                  covered={covered}
                />
              </div>
              <Panes
                panes={url.panes}
                onChange={(panes) => setUrl({ panes })}
                sessionId={sessionId}
                session={session}
                detail={choice.detail}
                onGo={jumps.toRecord}
              />
            </div>
          </LiveViewsContext>
        </div>
      </Frame>
      {printed && <PrintSheet printed={printed} session={session} open={open} />}
    </ThreadContext.Provider>
  );

  function goTo(place: Partial<ThreadUrl>) {
    handle.current?.release();
    setUrl(place);
  }
}

/** A link to lines or a hunk is a link into an opened row. */
function openAtFirst(at: string | null): ReadonlySet<string> {
  const place = parsePlace(at);
  const inside = place !== null && (place.lines !== null || place.hunk !== null);
  return new Set(inside ? [`${place.recordId}.${place.block ?? 0}`] : []);
}
