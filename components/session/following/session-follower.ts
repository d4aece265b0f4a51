import type { QueryClient } from "@tanstack/react-query";
import type { FollowState } from "@/components/present/follow-state";
import { agentView, isViewOf, type LiveViews, type ShownThread } from "@/components/thread/live-views";
import { goesOn } from "@/components/thread/tools/goes-on";
import { toast } from "@/components/ui/toast";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { setLiveState } from "@/lib/client/live-states";
import { coalesced, throttled } from "@/lib/client/throttle";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveState, StreamedThread } from "@/lib/wire/live";
import type { CallDetail } from "@/lib/wire/record";
import type { SessionDetail } from "@/lib/wire/session";
import { FollowedBranch, type FollowedThread } from "./followed-branch";

/** What is renewed at once when the session changes, and what may follow. */
const FACTS = ["session", "agents"];
const DETAILS = ["files", "file-totals", "touched-files", "turn-header", "brief", "record"];
const FACTS_MS = 1_000;
const DETAILS_MS = 3_000;
/** What a session does is drawn before the page around it, all of which is drawn anew when its facts change. */
const STANDING_MS = 40;
/** The client says that it rests up to 250 ms before its last lines are in the log (2.1.330): rows come with those. */
const LAST_LINES_MS = 400;

/** What is done about events that concern more than the threads' rows. */
export type LiveSessionHandlers = FollowedThread["handlers"] & {
  following: FollowState;
  /** The stream is there: what could not be asked for before can be now. */
  onHello: () => void;
};

/** What the page shows now: its own thread as it was chosen, and who is told of what happens to it. */
export type FollowedView = FollowedThread & { choice: ThreadChoice; handlers: LiveSessionHandlers };

/**
 * Does what a session's live events ask for: puts their rows into the threads on screen, and has what else is on the page
 * asked for again, as often as it may be.
 */
export class SessionFollower {
  readonly #sessionId: SessionId;
  readonly #client: QueryClient;
  readonly #views: LiveViews;
  readonly #newest: () => FollowedView;
  #server: string | null = null;
  #revision = 0;
  /** The threads that the connection was asked for. */
  #openedFor = "";
  #beside: ShownThread[] = [];
  readonly #branch: FollowedBranch;
  #standing: string | null = null;
  readonly #facts: () => void;
  readonly #details: () => void;
  #told: LiveState | null = null;
  readonly #tellFacts = coalesced(() => this.#putStanding(), STANDING_MS, STANDING_MS);
  readonly #renewAtRest = coalesced(() => this.#renewThreads(), LAST_LINES_MS, LAST_LINES_MS);

  constructor(sessionId: SessionId, client: QueryClient, views: LiveViews, newest: () => FollowedView) {
    this.#sessionId = sessionId;
    this.#client = client;
    this.#views = views;
    this.#newest = newest;
    this.#branch = new FollowedBranch(sessionId, newest);
    const renew = (names: readonly string[]) =>
      Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name, sessionId] })));
    this.#facts = throttled(FACTS_MS, () => {
      this.catchUp();
      return renew(FACTS);
    });
    this.#details = throttled(DETAILS_MS, () =>
      Promise.all([renew(DETAILS), this.#renewCalls(), this.#renewMissingContexts()]),
    );
  }

  /** What the stream is to carry now. */
  query() {
    const { branch, agent, detail, fold, runs, key } = this.#newest().choice;
    this.#openedFor = key;
    this.#branch.opened();
    this.#beside = this.#views.beside(agent);
    const agents = [...new Set(this.#beside.map(({ choice }) => agentView(choice)))].join(",");
    const { window } = this.#newest().handlers.following;
    return { session: this.#sessionId, branch, agent, detail, fold, runs, agents, window };
  }

  /** The stream was away, and what it has missed is not told: anything may have changed. */
  gap(): void {
    for (const { windows } of this.#views.all()) windows.renew();
    void this.#branch.renew();
    this.#facts();
    this.#details();
    this.#renewAnnotations();
  }

  /** Of the opened calls those of which lines that came may say more: of the others there may be many. */
  #renewCalls(): Promise<void> {
    return this.#client.invalidateQueries({
      queryKey: ["call", this.#sessionId],
      predicate: ({ state }) => state.data !== undefined && goesOn(state.data as CallDetail),
    });
  }

  /** What a model was sent is said by lines that stay: only where they were not there, as of a log that was cut, they may be by now. */
  #renewMissingContexts(): Promise<void> {
    return this.#client.invalidateQueries({
      queryKey: ["messages", this.#sessionId],
      predicate: ({ state }) => state.error !== null,
    });
  }

  /** The log is another one than before: what an id named may be another record's by now, or nobody's. */
  #renewAll(): void {
    void this.#client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === this.#sessionId });
  }

  #renewAnnotations(): void {
    void this.#client.invalidateQueries({ queryKey: ["annotations"] });
  }

  /**
   * What is behind what the stream has told: written before a thread was on it, of one that it does not carry,
   * or asked for while the log was gone.
   */
  catchUp(): void {
    for (const thread of this.#views.all()) if (this.#isBehind(thread)) thread.windows.renew();
    const { shown } = this.#newest();
    // Where the session went on from an earlier prompt meanwhile, no event tells.
    if (shown && this.#branch.takesRows && this.#isBehind(shown)) void this.#branch.renew();
  }

  #isBehind({ windows }: ShownThread): boolean {
    const { revision, error } = windows.getSnapshot();
    return revision < this.#revision || error !== null;
  }

  /** Another server counts revisions anew. */
  #restart(): void {
    this.#revision = 0;
    for (const { windows } of this.#views.all()) windows.restart();
    void this.#branch.renew(true);
  }

  #allThreads(): ShownThread[] {
    const { shown } = this.#newest();
    return shown ? [shown, ...this.#views.all()] : this.#views.all();
  }

  #threads(): ShownThread[] {
    return this.#branch.takesRows ? this.#allThreads() : this.#views.all();
  }

  /** What the stream says that it has missed: that may be nothing, as when it is asked for anew. */
  #takeMissed(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    const { shown } = this.#newest();
    if (this.#allThreads().some((thread) => this.#isBehind(thread))) this.#details();
    this.#branch.settle(shown !== null && this.#isBehind(shown));
    this.catchUp();
  }

  /** Takes an event of the stream, in order. */
  take(event: LiveEvent): void {
    switch (event.kind) {
      case "hello":
        if (this.#server !== null) {
          if (this.#newest().choice.branch === null) this.#branch.mayHaveLeft();
          this.#renewAnnotations();
        }
        if (this.#server !== null && this.#server !== event.server) this.#restart();
        this.#server = event.server;
        // What could not be asked for while nobody was there.
        for (const { windows } of this.#threads()) if (windows.getSnapshot().error) windows.retry();
        this.#newest().handlers.onHello();
        this.#newest().handlers.following.connected();
        for (const state of event.states) this.#takeState(state);
        return;
      case "state":
        return this.#takeState(event.state);
      case "branch":
        if (event.from && event.view.agent === this.#newest().choice.agent)
          this.#branch.left(event.from, event.to);
        return;
      case "rows":
        return this.#takeRows(event);
      case "session-changed":
        if (event.revision !== null) this.#takeMissed(event.revision);
        this.#facts();
        return;
      case "reset":
        this.#revision = 0;
        this.#branch.reset();
        for (const { windows } of this.#allThreads()) windows.reset();
        this.#renewAll();
        return;
      case "presence":
        if (this.#newest().handlers.following.take(event.presenting)) toast("You are no longer presenting");
        return;
      case "annotations-changed":
        this.#renewAnnotations();
        this.#facts();
        return;
      case "calls":
      case "sessions-changed":
      case "resync":
    }
  }

  #takeRows({ rows, ...event }: Extract<LiveEvent, { kind: "rows" }>): void {
    this.#revision = Math.max(this.#revision, event.revision);
    for (const windows of this.#windowsOf(event.view)) {
      if (windows.advance({ ...event, items: rows })) continue;
      if (event.branch) windows.goOn(event.branch);
      windows.renew();
    }
    this.#facts();
    this.#details();
  }

  /** The threads on screen that the connection was asked for as `view`; an agent's may be there twice. */
  #windowsOf(view: StreamedThread): ReadonlySet<ShownThread["windows"]> {
    const { choice, shown } = this.#newest();
    if (view.agent === choice.agent) {
      // A view that stays on its branch is opened anew in a moment; another one is not loaded yet.
      const isThis = this.#branch.takesRows && shown?.choice.key === this.#openedFor;
      return new Set(isThis ? [shown.windows] : []);
    }
    const same = this.#beside.filter((one) => isViewOf(one.choice, view));
    return new Set(same.map(({ windows }) => windows));
  }

  #takeState(state: LiveState): void {
    setLiveState(state);
    // Calls run or do not, and ask or do not, as their session does.
    const asked = state.state === "waiting" ? `${state.doing?.kind} ${state.doing?.recordId}` : "";
    const standing = `${state.state} ${asked}`;
    if (this.#standing !== null && this.#standing !== standing) {
      if (state.state === "idle") this.#renewAtRest.ask();
      else this.#renewThreads();
      this.#branch.renewWhenKnown();
    }
    this.#standing = standing;
    this.#told = state;
    this.#tellFacts.ask();
  }

  #renewThreads(): void {
    for (const { windows } of this.#threads()) windows.renew();
  }

  #putStanding(): void {
    if (!this.#told) return;
    const { state, sinceMs } = this.#told;
    this.#client.setQueryData<SessionDetail>(
      ["session", this.#sessionId],
      (detail) => detail && { ...detail, state, sinceMs },
    );
  }
}
