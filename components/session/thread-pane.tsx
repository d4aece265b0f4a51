import { clsx } from "clsx";
import { MessageSquareDashed } from "lucide-react";
import { type ReactNode, useContext, useMemo } from "react";
import { ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { LiveBar } from "@/components/live/live-pill";
import type { UnseenTime } from "@/components/live/live-seen";
import { useAskedAgain } from "@/components/thread/asked-again";
import { RowsFaultBar, useRowsFault } from "@/components/thread/list/rows-fault";
import { NewRowsPill, ThreadView } from "@/components/thread/list/thread-view";
import { type OpenThread, threadKey } from "@/components/thread/open-thread";
import { SelectedTimeContext } from "@/components/thread/selected-time";
import { useThreadState } from "@/components/thread/use-thread";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { Link } from "@/components/ui/link";
import { EmptyState, ErrorState, Progress, StateBar, ThreadSkeleton } from "@/components/ui/states";
import { type ThreadChoice, viewOf } from "@/lib/client/address/session-url";
import { ApiError } from "@/lib/client/connection/api-error";
import type { LiveStream } from "@/lib/client/connection/live-stream";
import { useIsGuest } from "@/lib/client/connection/token";
import { isLive } from "@/lib/client/live-states";
import { useDelayed } from "@/lib/client/use-debounced";
import { formatBytes, formatCount, formatPercent } from "@/lib/format/format";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { ScanProgress, SessionDetail } from "@/lib/wire/session";
import { AgentNotice } from "./agent-notice";
import { Minimap, MinimapPlaceholder } from "./minimap/minimap";
import { useSessionPage } from "./session-store";
import { useAgent } from "./use-agents";
import { PartLine } from "./waterfall/selected-part";

/** The thread, its beginning, or what stands in its place while it is read, empty or gone. */
export function ThreadPane({
  stream,
  unseen,
  outlineDocked,
}: {
  stream: LiveStream;
  unseen: UnseenTime | null;
  /** The outline stands beside it where the page is wide, and says there which part of the time is selected. */
  outlineDocked: boolean;
}) {
  const range = useContext(SelectedTimeContext);
  const { session, choice, url, store: page } = useSessionPage();
  const store = page.thread;
  const { retry, sessionId } = store;
  const thread = useThreadState(store, (state) => state.thread);
  const beginning = useThreadState(store, (state) => state.beginning);
  const scanning = useThreadState(store, (state) => state.scanning);
  const awaitsRest = useThreadState(store, (state) => state.awaitsRest);
  const error = useThreadState(store, (state) => state.error);
  useAskedAgain(store, useAgent(sessionId, choice.agent) !== null);
  const shown = thread ?? beginning;
  if (!shown && !error)
    return (
      // No `main`: what it says of itself is read out where it stands outside of that, and there are no rows yet.
      <div data-main="" tabIndex={-1} className="min-h-0 overflow-auto outline-none">
        <ThreadOnItsWay scanning={scanning} />
      </div>
    );
  if (!shown || shown.windows.getSnapshot().total === 0)
    return (
      <main tabIndex={-1} className="min-h-0 overflow-auto outline-none">
        {error && !shown ? (
          <ThreadError error={error} retry={retry} sessionId={sessionId} />
        ) : (
          <EmptyThread choice={choice} session={session} />
        )}
      </main>
    );
  return (
    <div className="@container/pane relative grid min-h-0 grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_minmax(0,1fr)]">
      <div className="col-span-2">
        <LiveBar stream={stream} />
        {range && (
          <div className={clsx("print:hidden", outlineDocked && "md:hidden")}>
            <PartLine range={range} shown="Its rows are marked, and find looks in it alone" />
          </div>
        )}
        {error ? (
          <RowsFaultBar fault={{ message: error.message, retry }} />
        ) : (
          <ThreadNotices thread={shown} session={session} />
        )}
      </div>
      <InLaneOf agentId={shown.choice.agent}>
        <ThreadView
          key={threadKey(shown)}
          thread={shown}
          follows={thread !== null && isLive(session)}
          unseen={unseen}
        />
      </InLaneOf>
      {thread ? <Minimap thread={thread} covered={viewOf(url) !== "thread"} /> : <MinimapPlaceholder />}
      {thread && <NewRowsPill />}
      {!thread && scanning && <ReadingOn scanning={scanning} awaited={awaitsRest} />}
    </div>
  );
}

/** A log of the usual size is read before there is anything to tell of it. */
const SHORT_SCAN_MS = 500;

function ThreadOnItsWay({ scanning }: { scanning: ScanProgress["scanning"] | null }) {
  const isLong = useDelayed(scanning !== null, SHORT_SCAN_MS);
  if (scanning && isLong) return <Scanning {...scanning} />;
  return <ThreadSkeleton count={24} label="Loading the thread" />;
}

/** How far it is, is in the progress bar for who listens: words that change would be read out each time. */
function Scanning({ bytesDone, bytesTotal }: ScanProgress["scanning"]) {
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
  return (
    <div role="status" className="mx-auto flex h-full max-w-[440px] flex-col justify-center gap-2.5 p-6">
      <p className="flex font-semibold">
        Reading this session’s log
        <span aria-hidden="true" className="ml-auto font-normal text-fg-2 tabular-nums">
          {formatPercent(share)}
        </span>
      </p>
      <Progress share={share} label="Reading the log" thick />
      <p className="text-fg-2 tabular-nums">
        <span aria-hidden="true">{formatBytes(bytesDone)} of </span>
        {formatBytes(bytesTotal)}. Only the first time; from then on only what is on screen is read.
      </p>
    </div>
  );
}

/** What an error says of a thread: its title, a hint in place of the server's, and whether only the link to it is wrong. */
type ThreadFault = { title: string; hint?: string; isMislinked?: true };

function faultOf(known: ApiError | null, isGuest: boolean): ThreadFault {
  // Where it was deleted the library lists it until it looks there again.
  if (known?.code === "file-gone")
    return {
      title: "This session’s log was deleted",
      hint: isGuest
        ? known.hint
        : "It was deleted or moved, and the archive holds no copy of it. Put the file back, from a backup or from where it is now, and try again; with the archive on, later ones are kept.",
    };
  if (known?.code === "session-not-found")
    return {
      title: "Session not found",
      hint: known.hint ?? "Its log was moved or deleted. The library lists the sessions that exist now.",
    };
  // The session is there, but not what the address names of it: an agent, a branch, a row. Asking again won't help.
  if (known?.status === 404 || known?.status === 400)
    return { title: "Link target not found", hint: known.hint, isMislinked: true };
  return { title: "Couldn’t load this thread", hint: known?.hint };
}

function ThreadError({ error, retry, sessionId }: { error: Error; retry: () => void; sessionId: SessionId }) {
  const known = error instanceof ApiError ? error : null;
  const isGuest = useIsGuest();
  const { title, hint, isMislinked } = faultOf(known, isGuest);
  return (
    <ErrorState
      title={title}
      message={known?.path ? `${error.message} (${known.path})` : error.message}
      hint={hint}
      code={known ? `${known.code} · ${known.status}` : undefined}
      onRetry={isMislinked ? undefined : retry}
    >
      {isMislinked && (
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`} prefetch={false} className={LINK}>
          Open the session
        </Link>
      )}
      {!isGuest && (
        <Link href="/" prefetch={false} className={LINK}>
          Library
        </Link>
      )}
    </ErrorState>
  );
}

const LINK = "inline-flex h-control items-center rounded-2 border border-line-2 px-2 text-12 hover:bg-raised";

function EmptyThread({ choice, session }: { choice: ThreadChoice; session: SessionDetail | null }) {
  const hidden = choice.detail !== "everything" && (session?.counts.records ?? 0) > 0;
  return (
    <EmptyState icon={MessageSquareDashed} title="Nothing to show">
      {hidden
        ? "All records are hidden in this view. Press 4 to show everything."
        : "The log has no records."}
    </EmptyState>
  );
}

/** A line over the thread when rows cannot be loaded, or a log is missing. */
function ThreadNotices({ thread, session }: { thread: OpenThread; session: SessionDetail | null }) {
  const fault = useRowsFault(thread);
  const { agent } = thread.choice;
  if (fault) return <RowsFaultBar fault={fault} />;
  if (agent) return <AgentNotice agentId={agent} logGone={session?.logGone === true} />;
  return session?.logGone ? <LogGoneNotice agents={session.agentCount ?? 0} /> : null;
}

/** An agent's thread that is shown alone has the colour that it has everywhere else. */
function InLaneOf({ agentId, children }: { agentId: AgentId | null; children: ReactNode }) {
  const actions = useThreadActions();
  const lane = useAgent(actions.sessionId, agentId)?.lane ?? 0;
  const inLane = useMemo(() => ({ ...actions, lane }), [actions, lane]);
  return <ThreadContext.Provider value={inLane}>{children}</ThreadContext.Provider>;
}

/** Over the thread of a session of which only agents' logs are left: what is shown instead of its own. */
function LogGoneNotice({ agents }: { agents: number }) {
  return (
    <StateBar tone="stale">
      This session’s main log is missing.{" "}
      {agents > 1
        ? `${formatCount(agents)} agent logs remain: this is the first, the outline lists all`
        : "Only this agent’s log remains"}
    </StateBar>
  );
}

/**
 * Under a thread's beginning: how far the rest is. It takes no room, so that no row moves when it goes.
 * @param awaited the reader is to be brought to a place in the rest
 */
function ReadingOn({
  scanning: { bytesDone, bytesTotal },
  awaited,
}: {
  scanning: ScanProgress["scanning"];
  awaited: boolean;
}) {
  // One that is there in a moment would only flash.
  const isLong = useDelayed(true);
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : 0;
  if (!isLong) return null;
  return (
    <div
      ref={bottomBar}
      role="status"
      className="absolute inset-x-0 bottom-0 z-5 border-line border-t bg-panel text-12 print:hidden"
    >
      <Progress share={share} label="Reading the log" />
      <p className="flex h-7 items-center gap-2 px-3 tabular-nums">
        <span className="min-w-0 flex-1 truncate">
          <span className="font-semibold">Beginning of the session.</span>{" "}
          {awaited ? "Reading the rest to go there" : "Reading the rest"}
        </span>
        <span aria-hidden="true" className="text-fg-2">
          {formatPercent(share)} of {formatBytes(bytesTotal)}
        </span>
      </p>
    </div>
  );
}
