import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import type { ThreadStore } from "@/components/thread/thread-store";
import { followPanes, threadOfPane } from "@/components/thread/use-reading-place";
import { useThreadState } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import { beforeRouter } from "@/lib/client/address/before-router";
import { currentEntry } from "@/lib/client/address/history-entry";
import { opensFollowed } from "@/lib/client/address/session-history";
import {
  ALL_RUNS,
  formatPanes,
  parsePanes,
  type SetThreadUrl,
  type ThreadChoice,
  type ThreadUrl,
} from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { usePreferences } from "@/lib/client/preferences";
import { throttled } from "@/lib/client/throttle";
import type { SessionId } from "@/lib/wire/ids";
import type { Position, PresentedView } from "@/lib/wire/presence";
import type { Following, FollowState } from "./follow-state";
import { followViews, standingOfView, viewStandAs } from "./presented-view";
import { forgetTabWindow } from "./tab-window";

const EVERY_MS = 100;
/** The interval after which a failed request is sent again. */
const AGAIN_MS = 1_000;

/** The parts of a session's page that are presented, and how to change them. */
export type PresentedPage = {
  sessionId: SessionId;
  thread: ThreadStore;
  choice: ThreadChoice;
  url: ThreadUrl;
  setUrl: SetThreadUrl;
};

/** This window's role in the presentation; rerenders when it changes. */
export function useFollowing(state: FollowState): Following {
  return useSyncExternalStore(state.subscribe, state.get, state.get);
}

/** Sends this window's position while it presents, and moves it to the presenting one's while it follows. */
export function usePresent(state: FollowState, page: PresentedPage): Following {
  const following = useFollowing(state);
  useSentPosition(state, page, following);
  useTakenPosition(page, following);
  useLeaving(state, following.role === "follows");
  useToldEnd(following);
  useAnnouncement(state, following);
  useKeptWindow(state);
  return following;
}

/** Keeps with the tab what this page is known by, while the page is gone. */
function useKeptWindow(state: FollowState): void {
  useEffect(() => {
    const keep = () => state.keepWindow();
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) forgetTabWindow();
    };
    window.addEventListener("pagehide", keep);
    window.addEventListener("pageshow", comeBack);
    return () => {
      window.removeEventListener("pagehide", keep);
      window.removeEventListener("pageshow", comeBack);
      // Another page is shown in this one's place, without a load.
      keep();
    };
  }, [state]);
}

function useSentPosition(state: FollowState, page: PresentedPage, { role, losses }: Following): void {
  const presents = role === "presents";
  const sent = useRef("");
  const tell = useRef<() => void>(() => undefined);
  const send = useEffectEvent(async () => {
    const position = positionOf(page);
    const text = JSON.stringify(position);
    if (text === sent.current) return;
    try {
      const { window: name, presentation } = state;
      await api.presence({ kind: "present", window: name, presentation, position });
      sent.current = text;
    } catch (error) {
      // Nobody answers, or the stream is reconnecting.
      if (!(error instanceof ApiError)) throw error;
    }
  });
  const { thread, url, choice } = page;
  useEffect(() => {
    if (!presents) return;
    const { window: name } = state;
    let isOver = false;
    let underWay: Promise<void> = Promise.resolve();
    sent.current = "";
    const run = throttled(EVERY_MS, () => (underWay = isOver ? Promise.resolve() : send()), 1);
    tell.current = run;
    run();
    const unsubscribe = thread.subscribe(run);
    const timer = setInterval(run, AGAIN_MS);
    document.addEventListener("scroll", run, { capture: true, passive: true });
    const end = () => void api.presence({ kind: "end", window: name }).catch(() => undefined);
    const leavePage = ({ persisted }: PageTransitionEvent) => {
      state.leavePage();
      void api.presence({ kind: "leave", window: name, kept: persisted }).catch(() => undefined);
    };
    // The browser may have kept the page as it was: it goes on, though nothing of it has changed.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      sent.current = "";
      run();
    };
    window.addEventListener("pagehide", leavePage);
    window.addEventListener("pageshow", comeBack);
    return () => {
      isOver = true;
      tell.current = () => undefined;
      unsubscribe();
      clearInterval(timer);
      document.removeEventListener("scroll", run, { capture: true });
      window.removeEventListener("pagehide", leavePage);
      window.removeEventListener("pageshow", comeBack);
      // Another page is shown in this one's place: nobody has stopped presenting.
      if (state.leavePage()) toast("Not presenting meanwhile: it goes on when you are back at the session");
      // Not before the request in progress, which would start over.
      void underWay.then(end);
    };
  }, [state, presents, thread]);
  useEffect(() => tell.current(), [url, choice.key]);
  useEffect(() => {
    // A server that has lost it needs it although nothing has changed.
    if (losses === 0) return;
    sent.current = "";
    tell.current();
  }, [losses]);
}

/** The position of a page's reader. */
function positionOf({ sessionId, thread, choice, url }: PresentedPage): Position {
  const { fold, view, turn, at, file, version, against, line, left, right, step, look, range } = url;
  const { branch, agent, detail } = choice;
  const panes = formatPanes(sharedPanes(url.panes));
  // A search unfolds runs, and a preference may: a follower has other ones.
  const runs = choice.runs === null && detail === "tools" ? ALL_RUNS : url.runs;
  return {
    sessionId,
    shown: {
      ...{ branch, agent, detail, fold, runs, panes, view, turn, file, version, against, line },
      ...{ left, right, step, look, range },
      at: view === "graph" ? at : null,
    },
    thread: thread.standing(),
    scrolled: standingOfView(),
    beside: parsePanes(panes).flatMap((pane) => {
      const beside = pane.kind === "agent" ? threadOfPane(sessionId, pane.id) : null;
      return pane.kind === "agent" && beside ? [{ agent: pane.id, thread: beside.standing() }] : [];
    }),
  };
}

/** Everyone reads and writes comments by themselves. */
function sharedPanes(panes: string | null) {
  return parsePanes(panes).filter(({ kind }) => kind !== "comments");
}

/** The changes to an address with which it shows what is presented. */
export function changeTo(
  url: ThreadUrl,
  { branch, agent, detail }: Pick<ThreadChoice, "branch" | "agent" | "detail">,
  presented: PresentedView,
): Partial<ThreadUrl> {
  const own = parsePanes(url.panes).filter(({ kind }) => kind === "comments");
  const panes = formatPanes([...sharedPanes(presented.panes), ...own]);
  // What is selected in the graph goes with it: as a link's place it would lead this thread there.
  const at = presented.view === "graph" ? presented.at : url.view === "graph" ? null : url.at;
  const wanted = { ...presented, panes, at };
  const now = { ...url, branch, agent, detail, panes: formatPanes(parsePanes(url.panes)) };
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== now[name]).map((name) => [name, wanted[name]]),
  );
}

const OF_THREAD = ["branch", "agent", "detail", "fold", "runs"] as const;

function useTakenPosition(page: PresentedPage, { role, presenting }: Following): void {
  const { thread, choice } = page;
  const shown = useThreadState(thread, (state) => state.thread);
  const take = useEffectEvent(({ shown: presented, thread: standing, scrolled, beside }: Position) => {
    const change = changeTo(page.url, choice, presented);
    if (Object.keys(change).length > 0 || opensFollowed()) page.setUrl(change, "followed");
    const isOther = OF_THREAD.some((name) => name in change) || shown?.choice.key !== choice.key;
    // A thread that is being loaded is moved there when it has arrived.
    if (!isOther) thread.standAs(standing);
    // Of a view that is about to be left no place is told.
    if (scrolled) viewStandAs(scrolled);
    for (const pane of beside) threadOfPane(page.sessionId, pane.agent)?.standAs(pane.thread);
  });
  const position = role === "follows" && presenting ? presenting.position : null;
  useEffect(() => {
    if (!position) return;
    take(position);
    // A pane or a view that opens with the change may exist later.
    const ends = [followPanes, followViews].map((follow) => follow(() => take(position)));
    return () => ends.forEach((end) => end());
  }, [position, shown, choice.key]);
  const goOwnWay = useEffectEvent(() => {
    thread.standAs(null);
    viewStandAs(null);
    for (const { kind, id } of parsePanes(page.url.panes))
      if (kind === "agent") threadOfPane(page.sessionId, id)?.standAs(null);
  });
  const follows = position !== null;
  useEffect(() => (follows ? () => goOwnWay() : undefined), [follows]);
}

/** Tells a reader who follows that there is nobody to follow any more. */
function useToldEnd({ role }: Following): void {
  const followed = useRef(false);
  useEffect(() => {
    if (followed.current && role === "none") toast("The presenter has left");
    followed.current = role === "follows";
  }, [role]);
}

const NO_KEYS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Tab", "r"]);

/**
 * A reader who scrolls, clicks into the session or presses a key stops following, except in a bar, a dialog or a field;
 * and so does one who goes back to another view, but not by closing a dialog with Back.
 */
function useLeaving(state: FollowState, follows: boolean): void {
  useEffect(() => {
    if (!follows) return;
    const leave = ({ target }: Event) => {
      const stays =
        "header, footer, input, textarea, select, [role=dialog], [role=menu], [data-keeps-following]";
      if (target instanceof Element && target.closest(stays) === null) state.leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (!NO_KEYS.has(event.key) && !event.metaKey && !event.ctrlKey && !event.altKey) leave(event);
    };
    const kinds = ["wheel", "touchmove", "pointerdown"] as const;
    for (const kind of kinds) document.addEventListener(kind, leave, { capture: true, passive: true });
    document.addEventListener("keydown", onKey, { capture: true });
    const endSteps = beforeRouter((_, left) => {
      const before = new URL(left.href, window.location.href);
      // The new address of the entry, which keeps the reader's way of reading the thread.
      queueMicrotask(() => {
        const isBefore = left.entry.isFollowed && !currentEntry().isFollowed;
        if (isBefore || before.search !== window.location.search) state.leave();
      });
    });
    return () => {
      endSteps();
      for (const kind of kinds) document.removeEventListener(kind, leave, { capture: true });
      document.removeEventListener("keydown", onKey, { capture: true });
    };
  }, [state, follows]);
}

/** Reports to the presenter that this window follows, or no longer does. */
function useAnnouncement(state: FollowState, { role, presenting, connection }: Following): void {
  const { guestName } = usePreferences();
  const id = presenting?.id;
  useEffect(() => {
    if (id === undefined || (role !== "follows" && role !== "left")) return;
    const { window: name } = state;
    const body = { kind: "follow", window: name, follows: role === "follows", name: guestName } as const;
    void api.presence(body).catch(() => undefined);
  }, [id, role, connection, state, guestName]);
}
