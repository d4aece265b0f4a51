"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useEffect, useId, useMemo } from "react";
import { ThreadContext } from "@/components/content/row-actions";
import { useGraphView } from "@/components/graph/use-graph-view";
import { PresentBar } from "@/components/present/present-bar";
import { SharedBar } from "@/components/share/shared-bar";
import { LiveViewsContext } from "@/components/thread/live-views";
import { SelectedTimeContext } from "@/components/thread/selected-time";
import { useReadingPlace } from "@/components/thread/use-reading-place";
import { ThreadStoreContext, useShownThread, useThreadErrors } from "@/components/thread/use-thread";
import { Frame } from "@/components/ui/frame/frame";
import { useKeptFocus } from "@/components/ui/main-focus";
import { ProblemLines } from "@/components/ui/problem-lines";
import { useThreadUrl } from "@/lib/client/address/session-history";
import {
  parsePanes,
  parseRange,
  type ThreadChoice,
  type ThreadUrl,
  threadChoice,
  viewOf,
} from "@/lib/client/address/session-url";
import { loadWhenIdle } from "@/lib/client/page-part";
import { usePreferences } from "@/lib/client/preferences";
import { sessionQuery } from "@/lib/client/queries";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionFoot } from "./bars/session-foot";
import { SessionTabBar } from "./bars/session-tab-bar";
import { SessionTop } from "./bars/session-top";
import { ToolBar } from "./bars/tool-bar";
import { SessionComments } from "./comments/session-comments";
import { useFind } from "./find/use-find";
import { useFollowedSession, useFollowPreference } from "./following/use-followed-session";
import { Outline } from "./outline/outline";
import { useRoomForOutline } from "./panes/pane-sizes";
import { Panes } from "./panes/panes";
import { ThreadSheet } from "./print/print-sheet";
import { usePrint } from "./print/use-print";
import { useSessionCommands } from "./session-commands";
import { SessionOverlays } from "./session-overlays";
import { RECORD_PANES, SESSION_DIALOGS, SESSION_VIEWS } from "./session-parts";
import { SessionContext, useCreatedSession, useSessionPage } from "./session-store";
import { TabSign } from "./tab-sign";
import { ThreadPane } from "./thread-pane";
import { useListedTitle } from "./use-listed-title";

/** The session page around its thread: bars, outline, panes, and what the address says about them. */
function SessionView({ sessionId, session }: { sessionId: SessionId; session: SessionDetail | null }) {
  const [url, setUrl] = useThreadUrl();
  const choice = useThreadChoice(url);
  const store = useCreatedSession(sessionId, choice, url, setUrl);
  const restored = useReadingPlace(store.thread, url);
  useShownThread(store.thread, choice, {
    at: url.at,
    y: url.y,
    toEnd: url.follow === "1",
    isSought: Boolean(url.q),
    restored,
  });
  const range = useMemo(() => parseRange(url.range), [url.range]);
  const page = useMemo(
    () => ({ sessionId, session, url, setUrl, choice, store }),
    [sessionId, session, url, setUrl, choice, store],
  );
  return (
    <SessionContext value={page}>
      <ThreadStoreContext value={store.thread}>
        <ThreadContext.Provider value={store.rowActions}>
          <SelectedTimeContext value={range}>
            <SessionComments>
              <Page />
            </SessionComments>
          </SelectedTimeContext>
        </ThreadContext.Provider>
      </ThreadStoreContext>
    </SessionContext>
  );
}

function Page() {
  const page = useSessionPage();
  const { sessionId, session, url, setUrl, store } = page;
  const outlineOpen = url.sheet === "outline";
  const toggleOutline = () => (outlineOpen ? store.closeOutline() : setUrl({ sheet: "outline" }));
  const { stream, views, unseen } = useFollowedSession(page);
  const isCovered = viewOf(url) !== "thread";
  const outlineDocked = useRoomForOutline(parsePanes(url.panes));
  const graph = useGraphView(store.atHand, url, setUrl);
  const find = useFind();
  const problemId = useId();
  const takeMain = () => store.atHand.take(null);
  const errors = useThreadErrors();
  const { printed, print } = usePrint((...asked) => SESSION_VIEWS.get()?.loadViewNow(...asked));
  useSessionCommands();
  useFollowPreference(page);
  useEffect(() => loadWhenIdle([SESSION_VIEWS, RECORD_PANES, SESSION_DIALOGS]), []);
  useKeptFocus(JSON.stringify([url.view, url.file, url.panes, url.sheet]), store.boxBeside);
  return (
    <>
      <Frame
        top={<SessionTop session={session} sessionId={sessionId} onGraph={graph.toggle} />}
        notice={
          <>
            <SharedBar />
            <PresentBar
              state={store.following}
              page={{ sessionId, thread: store.thread, choice: page.choice, url, setUrl }}
            />
          </>
        }
        foot={
          <>
            <SessionFoot />
            <SessionTabBar errors={errors} onOutline={toggleOutline} onGraph={graph.toggle} />
          </>
        }
        bodyClass={clsx(
          "relative max-md:grid-cols-1",
          outlineDocked ? "grid-cols-[auto_minmax(0,1fr)]" : "grid-cols-[minmax(0,1fr)]",
        )}
      >
        <SessionOverlays graph={graph} printed={printed?.view ?? null} />
        {/* Never inert: a sheet lies over any view and is used there. Beside the thread it is covered, as that is. */}
        <div
          onFocus={takeMain}
          className={clsx("contents *:min-h-0 *:min-w-0", isCovered && outlineDocked && "md:invisible")}
        >
          {outlineDocked || outlineOpen ? <Outline docked={outlineDocked} sheetOpen={outlineOpen} /> : null}
        </div>
        <div className="contents *:min-h-0 *:min-w-0" inert={isCovered}>
          <LiveViewsContext value={views}>
            <div className="flex min-h-0 min-w-0">
              <div onFocus={takeMain} className="grid min-w-0 flex-1 grid-rows-[auto_auto_minmax(0,1fr)]">
                <ToolBar
                  find={find}
                  problemId={problemId}
                  errors={errors}
                  outlineDocked={outlineDocked}
                  outlineOpen={outlineOpen}
                  onOutline={toggleOutline}
                  onPrint={print}
                />
                {/* Always there, so that what appears in it is read out. */}
                <div id={problemId} aria-live="polite" data-screen-only className="min-w-0">
                  <ProblemLines query={find.search.of} problems={find.search.problems} />
                </div>
                <ThreadPane stream={stream} unseen={unseen} outlineDocked={outlineDocked} />
              </div>
              <Panes />
            </div>
          </LiveViewsContext>
        </div>
      </Frame>
      {printed?.view === "thread" && <ThreadSheet printed={printed.rows} />}
    </>
  );
}

/** Which rows the address asks for, and the reader's preferences where it says nothing. */
function useThreadChoice({ branch, agent, detail, fold, runs, q }: ThreadUrl): ThreadChoice {
  const { detail: preferred, foldRuns } = usePreferences();
  // What is looked for may stand in any call.
  const foldsRuns = foldRuns && !q;
  return useMemo(
    () => threadChoice({ branch, agent, detail, fold, runs }, preferred, foldsRuns),
    [branch, agent, detail, fold, runs, preferred, foldsRuns],
  );
}

/** One session: asks for its facts, and shows the thread as soon as its first rows are there. */
export function SessionPage({ sessionId }: { sessionId: SessionId }) {
  const session = useQuery(sessionQuery(sessionId));
  const listedTitle = useListedTitle(sessionId);
  return (
    <>
      {/* Its state, not the stream's: a tab in the background has no stream, and asks for the session instead. */}
      <TabSign title={session.data?.title ?? listedTitle} state={session.data?.state ?? null} />
      <SessionView key={sessionId} sessionId={sessionId} session={session.data ?? null} />
    </>
  );
}
