import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveState } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import { setLiveState } from "./live-states";
import { LiveStream } from "./live-stream";
import { throttled } from "./live-throttle";
import type { ThreadChoice } from "./thread-url";
import type { ThreadWindows } from "./thread-windows";

/** What is renewed at once when the session changes, and what may follow. */
const FACTS = ["session", "agents"];
const DETAILS = ["files", "file-totals", "minimap", "agent-rows", "turn-header"];
const FACTS_MS = 1_000;
const DETAILS_MS = 3_000;

type Shown = { choice: ThreadChoice; windows: ThreadWindows<Row> } | null;

export type LiveSessionHandlers = {
  /** Another branch became the active one; true when the view stays on the one before, `from`. */
  onBranch: (from: BranchId, to: BranchId) => boolean;
};

/**
 * Keeps an open thread as its log is written. Rows that come in the event are in the thread at once; what
 * else has changed is asked for again.
 */
export function useLiveSession(
  sessionId: SessionId,
  choice: ThreadChoice,
  shown: Shown,
  handlers: LiveSessionHandlers,
): LiveStream {
  const client = useQueryClient();
  const newest = useRef({ choice, shown, handlers });
  newest.current = { choice, shown, handlers };
  const [{ stream, follow }] = useState(() => {
    const follow = new Follower(sessionId, client, () => newest.current);
    return {
      follow,
      stream: new LiveStream({
        query: () => follow.query(),
        onGap: () => follow.gap(),
        onEvent: (event) => follow.take(event),
      }),
    };
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
  return stream;
}

class Follower {
  private revision = 0;
  private openedFor = "";
  private held = false;
  private state: LiveState["state"] | null = null;
  private readonly facts: () => void;
  private readonly details: () => void;

  constructor(
    private readonly sessionId: SessionId,
    private readonly client: QueryClient,
    private readonly newest: () => { choice: ThreadChoice; shown: Shown; handlers: LiveSessionHandlers },
  ) {
    const renew = (names: readonly string[]) => () =>
      Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name, sessionId] })));
    this.facts = throttled(FACTS_MS, renew(FACTS));
    this.details = throttled(DETAILS_MS, renew(DETAILS));
  }

  query() {
    const { branch, agent, detail, fold, runs, key } = this.newest().choice;
    this.openedFor = key;
    this.held = false;
    return { session: this.sessionId, branch, agent, detail, fold, runs };
  }

  gap(): void {
    this.newest().shown?.windows.renew();
    this.facts();
    this.details();
  }

  catchUp(): void {
    const { shown } = this.newest();
    if (shown && shown.windows.getSnapshot().revision < this.revision) shown.windows.renew();
  }

  take(event: LiveEvent): void {
    switch (event.kind) {
      case "hello":
        for (const state of event.states) this.takeState(state);
        return;
      case "state":
        return this.takeState(event.state);
      case "branch":
        if (event.from) this.held = this.newest().handlers.onBranch(event.from, event.to);
        return;
      case "rows":
        return this.takeRows(event);
      case "session-changed":
        if (event.revision !== null) {
          this.revision = Math.max(this.revision, event.revision);
          this.catchUp();
        }
        this.facts();
        return;
      case "reset":
        this.revision = 0;
        this.newest().shown?.windows.reset();
        return;
      case "sessions-changed":
      case "resync":
    }
  }

  private takeRows({ rows, ...event }: Extract<LiveEvent, { kind: "rows" }>): void {
    const { shown } = this.newest();
    this.revision = Math.max(this.revision, event.revision);
    // A view that stays on its branch is opened anew in a moment; another one is not loaded yet.
    if (
      !this.held &&
      shown?.choice.key === this.openedFor &&
      !shown.windows.advance({ ...event, items: rows })
    ) {
      shown.windows.renew();
    }
    this.facts();
    this.details();
  }

  private takeState(state: LiveState): void {
    // Calls run or do not, as their session does.
    if (this.state !== null && this.state !== state.state) this.newest().shown?.windows.renew();
    this.state = state.state;
    setLiveState(state);
    this.client.setQueryData<SessionDetail>(
      ["session", this.sessionId],
      (detail) => detail && { ...detail, state: state.state, sinceMs: state.sinceMs },
    );
  }
}
