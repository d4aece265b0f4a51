"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { ThreadContext } from "@/components/content/row-actions";
import { useGraphView } from "@/components/graph/graph-view";
import { useNotifications } from "@/components/live/notify";
import { useTabSign } from "@/components/live/use-tab-sign";
import { useKeptPlace } from "@/components/thread/list/scroll-restoration";
import { LiveViewsContext } from "@/components/thread/live-views";
import type { Elsewhere } from "@/components/thread/open-thread";
import { PositionStore } from "@/components/thread/thread-position";
import { useThread } from "@/components/thread/use-thread";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { useThreadErrors, useThreadJumps } from "@/components/thread/use-thread-jumps";
import { Frame } from "@/components/ui/frame";
import { api } from "@/lib/client/api";
import { cx } from "@/lib/client/class-names";
import { withLiveState } from "@/lib/client/live-states";
import { openedBy, parsePanes, type ThreadUrl, useThreadUrl, withRuns } from "@/lib/client/session-url";
import { toggled } from "@/lib/client/toggled";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { useFind } from "./find/use-find";
import { useInspector } from "./inspector/use-inspector";
import { Outline } from "./outline/outline";
import { Panes } from "./panes/panes";
import { PrintSheet } from "./print/print-sheet";
import { usePrint } from "./print/use-print";
import { SessionFoot } from "./session-foot";
import { SessionOverlays } from "./session-overlays";
import { SessionTop } from "./session-top";
import { ThreadPane } from "./thread-pane";
import { SessionTabBar, ToolBar } from "./tool-bar";
import { useFollowedSession, useFollowPreference } from "./use-followed-session";
import { usePageActions } from "./use-page-actions";
import { useSessionKeys, useThreadChoice } from "./use-session-keys";

/** The session page around its thread: bars, outline, inspector, and what the address says about them. */
export function SessionView({ sessionId, session }: { sessionId: SessionId; session: SessionDetail | null }) {
  const [url, setUrl] = useThreadUrl();
  const choice = useThreadChoice(url);
  const handle = useRef<ThreadHandle>(null);
  const [position] = useState(() => new PositionStore());
  const [open, setOpen] = useState(() => openedBy(url.at));
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
  const actions = usePageActions(sessionId, url, setUrl, change, handle);
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
  const { printed, print } = usePrint(sessionId, choice, position);
  useSessionKeys({
    url,
    setUrl,
    choice,
    handle,
    position,
    thread: state.thread ?? state.beginning,
    setOpen,
    actions,
    jumps,
    inspector,
    changes,
    covered,
  });
  useFollowPreference(session, url, state.thread !== null, handle, position);

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
        <SessionOverlays
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
                  hits={find.found}
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

/** What of the address changes so that a record is shown which this view leaves out. */
export function addressOf(where: Elsewhere, { runs }: Pick<ThreadUrl, "runs">): Partial<ThreadUrl> {
  return "run" in where
    ? { runs: withRuns(runs, [where.run]) }
    : { agent: where.agent, branch: null, fold: null, runs: null };
}

/** One session: asks for its facts, and shows the thread as soon as its first rows are there. */
export function SessionPage({ sessionId }: { sessionId: SessionId }) {
  const session = useQuery({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) => withLiveState(sessionId, () => api.session(sessionId, { signal })),
  });
  // Its state, not the stream's: a tab in the background has no stream, and asks for the session instead.
  useTabSign(session.data?.title ?? null, session.data?.state ?? null);
  const standings = useMemo(() => (session.data ? [session.data] : undefined), [session.data]);
  useNotifications(standings);
  return <SessionView key={sessionId} sessionId={sessionId} session={session.data ?? null} />;
}
