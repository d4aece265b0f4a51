import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSeenBefore } from "@/components/live/live-seen";
import type { FollowState } from "@/components/present/follow-state";
import { agentView, isViewOf, LiveViews, type ShownThread } from "@/components/thread/live-views";
import { goesOn } from "@/components/thread/tools/goes-on";
import { useThreadState } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { LiveStream } from "@/lib/client/connection/live-stream";
import { setLiveState } from "@/lib/client/live-states";
import { usePreferences } from "@/lib/client/preferences";
import { coalesced, throttled } from "@/lib/client/throttle";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import { isInProgress } from "@/lib/wire/library";
import type { LiveEvent, LiveState, StreamedThread } from "@/lib/wire/live";
import type { CallDetail } from "@/lib/wire/record";
import type { SessionDetail } from "@/lib/wire/session";
import type { SessionContextValue } from "./session-store";

/**
 * Keeps the page's thread as the session is on disk. Whoever reads on in a branch that the session leaves stays on
 * it and is told; whoever is at its end goes along.
 * `seenMs`: rows after this time are new to the reader; `null` before that is known.
 */
export function useFollowedSession({
  sessionId,
  session,
  choice,
  url,
  setUrl,
  store: { thread, following },
}: SessionContextValue): Pick<ReturnType<typeof useLiveSession>, "stream" | "views"> & {
  seenMs: number | null;
} {
  const shown = useThreadState(thread, (state) => state.thread);
  const { stream, views } = useLiveSession(sessionId, choice, shown, {
    following,
    // Opened before its first line was written, or while nobody answered, be it in place of what is still on screen.
    onHello: () => {
      if (thread.get().error) thread.retry();
    },
    onBranch: (from) => {
      if (url.branch !== null || thread.get().position.atEnd) return false;
      // The branch that is read gets a name: nothing has been opened.
      setUrl({ branch: from }, "replace");
      toast("The session went on from an earlier prompt. You stay on the branch you read");
      return true;
    },
  });
  const seenMs = useSeenBefore(sessionId, session && (session.lastActiveAtMs ?? 0));
  return { stream, views, seenMs };
}

/**
 * Takes a reader who prefers it to the end of a running session, once, when it has opened; a link that says where
 * to begin wins, and so does the place that he comes back to. From the end the list follows what comes.
 */
export function useFollowPreference({ session, url, store: { thread } }: SessionContextValue): void {
  const { follow } = usePreferences();
  const isOpen = useThreadState(thread, (state) => state.thread !== null);
  const decided = useRef(false);
  const asked = url.at !== null || url.follow !== null;
  useEffect(() => {
    if (decided.current || !session || !isOpen) return;
    decided.current = true;
    if (!follow || asked || thread.wasRestored() || !isInProgress(session)) return;
    void thread.toEnd();
  }, [session, isOpen, follow, asked, thread]);
}

/** What is renewed at once when the session changes, and what may follow. */
const FACTS = ["session", "agents"];
const DETAILS = ["files", "file-totals", "touched-files", "turn-header", "brief", "record"];
const FACTS_MS = 1_000;
const DETAILS_MS = 3_000;
/** What a session does is drawn before the page around it, all of which is drawn anew when its facts change. */
const STANDING_MS = 40;
/** The client says that it rests up to 250 ms before its last lines are in the log (2.1.330): rows come with those. */
const LAST_LINES_MS = 400;

type Shown = ShownThread | null;

export type LiveSessionHandlers = {
  following: FollowState;
  /** The stream is there: what could not be asked for before can be now. */
  onHello: () => void;
  /** Another branch became the active one; true when the view stays on the one before, `from`. */
  onBranch: (from: BranchId, to: BranchId) => boolean;
};

/**
 * Keeps an open thread, and those of the agents beside it, as their logs are written. Rows that come in the
 * event are in the thread at once; what else has changed is asked for again.
 */
export function useLiveSession(
  sessionId: SessionId,
  choice: ThreadChoice,
  shown: Shown,
  handlers: LiveSessionHandlers,
): { stream: LiveStream; views: LiveViews } {
  const client = useQueryClient();
  const newest = useRef({ choice, shown, handlers });
  newest.current = { choice, shown, handlers };
  const [{ stream, follow, views }] = useState(() => {
    const views = new LiveViews();
    const follow = new Follower(sessionId, client, views, () => newest.current);
    const stream = new LiveStream({
      query: () => follow.query(),
      onGap: () => follow.gap(),
      onEvent: (event) => follow.take(event),
      // Who presents is followed, also while looking at something else.
      holds: () => newest.current.handlers.following.get().role === "presents",
    });
    views.onChange = () => stream.reopen();
    return { stream, follow, views };
  });
  useEffect(() => {
    stream.start();
    return () => stream.stop();
  }, [stream]);
  const opened = useRef(choice.key);
  useEffect(() => {
    if (opened.current !== choice.key) stream.reopen();
    opened.current = choice.key;
  }, [stream, choice.key]);
  // What was written between the first rows and the stream, or while another thread was shown.
  useEffect(() => follow.catchUp(), [follow, shown]);
  return { stream, views };
}

class Follower {
  private server: string | null = null;
  private revision = 0;
  /** The threads that the connection was asked for. */
  private openedFor = "";
  private beside: ShownThread[] = [];
  /** The view stays on a branch that the session has left, and is opened anew on it in a moment. */
  private stays = false;
  /**
   * After a pause: whether the session has left the branch that is read is not known yet. `isDue`: its rows are to be
   * renewed; `isAnew`: as another server counts them.
   */
  private unsure: { isDue: boolean; isAnew?: boolean } | null = null;
  private isLooking = false;
  private standing: string | null = null;
  private readonly facts: () => void;
  private readonly details: () => void;
  private told: LiveState | null = null;
  private readonly tellFacts = coalesced(() => this.putStanding(), STANDING_MS, STANDING_MS);
  private readonly renewAtRest = coalesced(() => this.renewThreads(), LAST_LINES_MS, LAST_LINES_MS);

  constructor(
    private readonly sessionId: SessionId,
    private readonly client: QueryClient,
    private readonly views: LiveViews,
    private readonly newest: () => { choice: ThreadChoice; shown: Shown; handlers: LiveSessionHandlers },
  ) {
    const renew = (names: readonly string[]) =>
      Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name, sessionId] })));
    this.facts = throttled(FACTS_MS, () => {
      this.catchUp();
      return renew(FACTS);
    });
    this.details = throttled(DETAILS_MS, () => Promise.all([renew(DETAILS), this.renewCalls()]));
  }

  query() {
    const { branch, agent, detail, fold, runs, key } = this.newest().choice;
    this.openedFor = key;
    this.stays = false;
    this.beside = this.views.beside(agent);
    const agents = [...new Set(this.beside.map(({ choice }) => agentView(choice)))].join(",");
    const { window } = this.newest().handlers.following;
    return { session: this.sessionId, branch, agent, detail, fold, runs, agents, window };
  }

  gap(): void {
    for (const { windows } of this.views.all()) windows.renew();
    void this.renewShown();
    this.facts();
    this.details();
    this.renewAnnotations();
  }

  /** Of the opened calls those of which lines that came may say more: of the others there may be many. */
  private renewCalls(): Promise<void> {
    return this.client.invalidateQueries({
      queryKey: ["call", this.sessionId],
      predicate: ({ state }) => state.data !== undefined && goesOn(state.data as CallDetail),
    });
  }

  private renewAnnotations(): void {
    void this.client.invalidateQueries({ queryKey: ["annotations"] });
  }

  /**
   * What is behind what the stream has told: written before a thread was on it, of one that it does not carry,
   * or asked for while the log was gone.
   */
  catchUp(): void {
    for (const thread of this.threads()) if (this.isBehind(thread)) thread.windows.renew();
  }

  private isBehind({ windows }: ShownThread): boolean {
    const { revision, error } = windows.getSnapshot();
    return revision < this.revision || error !== null;
  }

  /** Another server counts revisions anew. */
  private restart(): void {
    this.revision = 0;
    for (const { windows } of this.views.all()) windows.restart();
    void this.renewShown(true);
  }

  private allThreads(): ShownThread[] {
    const { shown } = this.newest();
    return shown ? [shown, ...this.views.all()] : this.views.all();
  }

  /** The page's own thread takes no rows while its branch may be another one than the active. */
  private get takesRows(): boolean {
    return !this.stays && this.unsure === null;
  }

  private threads(): ShownThread[] {
    return this.takesRows ? this.allThreads() : this.views.all();
  }

  /**
   * Renews the page's thread after a pause, in which no event told whether the session has left its branch: the rows of the
   * active one would come in their place.
   */
  private async renewShown(isAnew = this.unsure?.isAnew === true): Promise<void> {
    const { shown } = this.newest();
    if (this.stays) return;
    this.unsure = { isDue: true, isAnew };
    if (this.isLooking) return;
    this.isLooking = true;
    const left = shown && (await branchLeft(this.sessionId, shown));
    this.isLooking = false;
    // Another thread has come, to which this has yet to be done.
    if (this.newest().shown !== shown) return this.renewShown();
    const isOther = this.unsure?.isAnew;
    this.unsure = null;
    if (this.stays) return;
    this.stays = left !== null && this.newest().handlers.onBranch(left.from, left.to);
    if (shown && !this.stays) shown.windows[isOther ? "restart" : "renew"]();
  }

  /** What the stream says that it has missed: that may be nothing, as when it is asked for anew. */
  private takeMissed(revision: number): void {
    this.revision = Math.max(this.revision, revision);
    const { shown } = this.newest();
    if (this.allThreads().some((thread) => this.isBehind(thread))) this.details();
    if (this.unsure && !this.isLooking) {
      if (this.unsure.isDue || (shown && this.isBehind(shown))) void this.renewShown();
      else this.unsure = null;
    }
    this.catchUp();
  }

  take(event: LiveEvent): void {
    switch (event.kind) {
      case "hello":
        if (this.server !== null) {
          if (this.newest().choice.branch === null) this.unsure ??= { isDue: false };
          this.renewAnnotations();
        }
        if (this.server !== null && this.server !== event.server) this.restart();
        this.server = event.server;
        // What could not be asked for while nobody was there.
        for (const { windows } of this.threads()) if (windows.getSnapshot().error) windows.retry();
        this.newest().handlers.onHello();
        this.newest().handlers.following.connected();
        for (const state of event.states) this.takeState(state);
        return;
      case "state":
        return this.takeState(event.state);
      case "branch":
        if (event.from && event.view.agent === this.newest().choice.agent)
          this.stays = this.newest().handlers.onBranch(event.from, event.to);
        return;
      case "rows":
        return this.takeRows(event);
      case "session-changed":
        if (event.revision !== null) this.takeMissed(event.revision);
        this.facts();
        return;
      case "reset":
        this.revision = 0;
        this.stays = false;
        this.unsure = null;
        for (const { windows } of this.allThreads()) windows.reset();
        return;
      case "presence":
        if (this.newest().handlers.following.take(event.presenting)) toast("You are no longer presenting");
        return;
      case "annotations-changed":
        this.renewAnnotations();
        this.facts();
        return;
      case "calls":
      case "sessions-changed":
      case "resync":
    }
  }

  private takeRows({ rows, ...event }: Extract<LiveEvent, { kind: "rows" }>): void {
    this.revision = Math.max(this.revision, event.revision);
    for (const windows of this.windowsOf(event.view)) {
      if (!windows.advance({ ...event, items: rows })) windows.renew();
    }
    this.facts();
    this.details();
  }

  /** The threads on screen that the connection was asked for as `view`; an agent's may be there twice. */
  private windowsOf(view: StreamedThread): ReadonlySet<ShownThread["windows"]> {
    const { choice, shown } = this.newest();
    if (view.agent === choice.agent) {
      // A view that stays on its branch is opened anew in a moment; another one is not loaded yet.
      const isThis = this.takesRows && shown?.choice.key === this.openedFor;
      return new Set(isThis ? [shown.windows] : []);
    }
    const same = this.beside.filter((one) => isViewOf(one.choice, view));
    return new Set(same.map(({ windows }) => windows));
  }

  private takeState(state: LiveState): void {
    setLiveState(state);
    // Calls run or do not, and ask or do not, as their session does.
    const asked = state.state === "waiting" ? `${state.doing?.kind} ${state.doing?.recordId}` : "";
    const standing = `${state.state} ${asked}`;
    if (this.standing !== null && this.standing !== standing) {
      if (state.state === "idle") this.renewAtRest.ask();
      else this.renewThreads();
      if (this.unsure) this.unsure.isDue = true;
    }
    this.standing = standing;
    this.told = state;
    this.tellFacts.ask();
  }

  private renewThreads(): void {
    for (const { windows } of this.threads()) windows.renew();
  }

  private putStanding(): void {
    if (!this.told) return;
    const { state, sinceMs } = this.told;
    this.client.setQueryData<SessionDetail>(
      ["session", this.sessionId],
      (detail) => detail && { ...detail, state, sinceMs },
    );
  }
}

const MAX_LOOKS = 3;
/** Rows that come are not held up for longer. */
const MAX_LOOK_MS = 5_000;

/**
 * The branch of a thread and the active one, where the address names none and the session has left that branch; else
 * `null`. A branch is called by its last line, so both are asked for as they are at one revision.
 */
async function branchLeft(
  sessionId: SessionId,
  { choice: { branch, agent, detail, fold, runs }, windows }: ShownThread,
): Promise<{ from: BranchId; to: BranchId } | null> {
  const known = windows.getSnapshot().branch;
  if (branch !== null || known === null) return null;
  const view = { agent, detail, fold, runs, from: 0, count: 1 };
  const signal = AbortSignal.timeout(MAX_LOOK_MS);
  const ask = (of: BranchId | null) => api.rows(sessionId, { ...view, branch: of }, { signal });
  try {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const [shown, active] = await Promise.all([ask(known), ask(null)]);
      // Told meanwhile, by rows that came or by a reset.
      if (windows.getSnapshot().branch !== known || shown.branch === active.branch) return null;
      if (shown.branch === null || active.branch === null) return null;
      if (shown.revision === active.revision) return { from: shown.branch, to: active.branch };
    }
  } catch (error) {
    // What cannot be asked for now is told by the thread itself.
    if (!(error instanceof ApiError || signal.aborted)) throw error;
  }
  return null;
}
