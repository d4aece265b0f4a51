import { useCallback, useMemo, useRef, useState } from "react";
import { useBriefKey } from "@/components/brief/use-brief-key";
import { ContextPane } from "@/components/context/context-pane";
import { useContextPane } from "@/components/context/use-context-pane";
import { Inspector } from "@/components/inspector/inspector";
import { Outline } from "@/components/outline/outline";
import { useFind } from "@/components/search/use-find";
import { Frame } from "@/components/ui/frame";
import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/client/copy-text";
import { useSeenBefore } from "@/lib/client/live-seen";
import { useLiveSession } from "@/lib/client/live-session";
import { usePreferences } from "@/lib/client/preferences";
import { formatFold, parseFold } from "@/lib/client/thread-fold";
import { formatPlace, parsePlace } from "@/lib/client/thread-permalink";
import { PositionStore } from "@/lib/client/thread-position";
import { inspectedRecord, threadChoice, useThreadUrl } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionFoot } from "./session-foot";
import { SessionTabBar } from "./session-tab-bar";
import { SessionTop } from "./session-top";
import { type ThreadActions, ThreadContext } from "./thread-context";
import { ThreadPane } from "./thread-pane";
import type { ThreadHandle } from "./thread-view";
import { ToolBar } from "./tool-bar";
import { useThread } from "./use-thread";
import { useThreadJumps } from "./use-thread-jumps";
import { useThreadKeys } from "./use-thread-keys";

/** The session page around its thread: bars, outline, inspector, and what the address says about them. */
export function SessionView({ sessionId, session }: { sessionId: SessionId; session: SessionDetail | null }) {
  const [url, setUrl] = useThreadUrl();
  const preferred = usePreferences().detail;
  const { branch, agent, detail, fold } = url;
  const choice = useMemo(
    () => threadChoice({ branch, agent, detail, fold }, preferred),
    [branch, agent, detail, fold, preferred],
  );
  const handle = useRef<ThreadHandle>(null);
  const [position] = useState(() => new PositionStore());
  const [open, setOpen] = useState(() => openAtFirst(url.at));
  const [outlineOpen, setOutlineOpen] = useState(false);

  const state = useThread(
    sessionId,
    choice,
    url.at,
    () => handle.current?.anchor() ?? null,
    url.follow === "1",
  );
  const stream = useLiveSession(sessionId, choice, state.thread, {
    onBranch: (from) => {
      if (url.branch !== null || position.get().atEnd) return false;
      setUrl({ branch: from });
      toast("The session went on from an earlier prompt. You stay on the branch you read");
      return true;
    },
  });
  const seenMs = useSeenBefore(sessionId, session?.lastActiveAtMs ?? null);
  const jumps = useThreadJumps(sessionId, state.thread, handle, position);
  const inspected = inspectedRecord(url.panes);

  const change = useCallback((key: string) => setOpen((old) => toggled(old, key)), []);
  const actions = useActions(sessionId, url.fold, setUrl, change);
  const find = useFind({
    sessionId,
    choice,
    at: url.at,
    thread: state.thread,
    jumps,
    handle,
    setOpen,
    setUrl,
  });
  const { contextOf, showContext } = useContextPane(url.panes, setUrl, handle);
  useBriefKey(handle, jumps, position, actions.toggleOpen);
  useThreadKeys({
    actions,
    handle,
    jumps,
    position,
    thread: state.thread,
    setOpen,
    setUrl,
    inspected,
    choice,
  });

  return (
    <ThreadContext.Provider value={actions}>
      <Frame
        top={<SessionTop session={session} sessionId={sessionId} />}
        foot={
          <>
            <SessionFoot position={position} choice={choice} session={session} />
            <SessionTabBar onOutline={() => setOutlineOpen(!outlineOpen)} jumps={jumps} session={session} />
          </>
        }
        bodyClass={
          contextOf
            ? "grid-cols-[minmax(0,1fr)_minmax(420px,44%)] max-md:grid-cols-1 md:[&>aside:first-child]:hidden"
            : inspected
              ? "grid-cols-[248px_minmax(0,1fr)_340px] max-md:grid-cols-1"
              : "grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-1"
        }
      >
        <Outline
          sessionId={sessionId}
          session={session}
          choice={choice}
          position={position}
          sheetOpen={outlineOpen}
          onClose={() => setOutlineOpen(false)}
          onGo={jumps}
        />
        <div className="grid grid-rows-[auto_minmax(0,1fr)]">
          <ToolBar
            session={session}
            choice={choice}
            position={position}
            setUrl={setUrl}
            jumps={jumps}
            find={find}
            inspecting={inspected !== null}
            onInspect={() => toggleInspector()}
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
          />
        </div>
        {inspected && (
          <Inspector
            sessionId={sessionId}
            recordId={inspected}
            onGo={jumps.toRecord}
            onInspect={actions.inspect}
            onContext={showContext}
            onClose={() => setUrl({ panes: null })}
          />
        )}
        {contextOf && (
          <ContextPane
            sessionId={sessionId}
            recordId={contextOf}
            onGo={jumps.toRecord}
            onInspect={actions.inspect}
            onClose={() => setUrl({ panes: null })}
          />
        )}
      </Frame>
    </ThreadContext.Provider>
  );

  function toggleInspector() {
    if (inspected) return setUrl({ panes: null });
    const row = handle.current?.selected()?.row ?? state.thread?.windows.itemAt(position.get().first);
    if (row) actions.inspect(row.recordId);
  }
}

/** A link to lines or a hunk is a link into an opened row. */
function openAtFirst(at: string | null): ReadonlySet<string> {
  const place = parsePlace(at);
  const inside = place !== null && (place.lines !== null || place.hunk !== null);
  return new Set(inside ? [`${place.recordId}.${place.block ?? 0}`] : []);
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

function useActions(
  sessionId: SessionId,
  fold: string | null,
  setUrl: ReturnType<typeof useThreadUrl>[1],
  toggleOpen: (key: string) => void,
): ThreadActions {
  const newest = useRef({ fold, setUrl });
  newest.current = { fold, setUrl };
  return useMemo(() => {
    const linkTo: ThreadActions["linkTo"] = ({ recordId, block }, suffix = "") => {
      const link = new URL(window.location.href);
      link.hash = "";
      const at = formatPlace({ recordId, block, lines: null, hunk: null }) + suffix;
      link.searchParams.delete("at");
      // By hand: `~` and `:` need no escape in a query, and a link should stay readable.
      return `${link.href}${link.search ? "&" : "?"}at=${at}`;
    };
    return {
      sessionId,
      lane: 0,
      toggleOpen,
      toggleFold: (turn) => {
        const turns = parseFold(newest.current.fold ?? "");
        if (!turns.delete(turn)) turns.add(turn);
        newest.current.setUrl({ fold: formatFold(turns) });
      },
      inspect: (recordId) => newest.current.setUrl({ panes: `record:${recordId}` }),
      linkTo,
      copyLink: async (row, suffix) => {
        const copied = await copyText(linkTo(row, suffix));
        toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err");
      },
      switchBranch: (branch) => newest.current.setUrl({ branch, fold: null }),
      showAgent: (agent) => newest.current.setUrl({ agent, at: null, fold: null }),
    };
  }, [sessionId, toggleOpen]);
}
