import { useEffect, useRef, useSyncExternalStore } from "react";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import type { SessionState } from "@/lib/wire/library";
import type { Doing } from "@/lib/wire/live";

const KEY = "backscroll.notify";

/** When the browser tells the reader: a session waits for its person, a session ends. */
export type NotifyWishes = { needs: boolean; ends: boolean };

const NONE: NotifyWishes = { needs: false, ends: false };
let cached: { text: string | null; wishes: NotifyWishes } = { text: null, wishes: NONE };

function read(): NotifyWishes {
  const text = readStored(KEY);
  if (text !== cached.text)
    cached = {
      text,
      wishes: { needs: text?.includes("needs") ?? false, ends: text?.includes("ends") ?? false },
    };
  return cached.wishes;
}

/** What the reader wishes to be told, kept in this browser. */
export function useNotifyWishes(): NotifyWishes {
  return useSyncExternalStore(subscribe, read, () => NONE);
}

/** Sets a wish; the browser asks for its permission with the first one. False where it was refused. */
export async function wishNotification(name: keyof NotifyWishes, on: boolean): Promise<boolean> {
  if (on && (!("Notification" in window) || (await Notification.requestPermission()) !== "granted"))
    return false;
  const wishes = { ...read(), [name]: on };
  writeStored(KEY, (["needs", "ends"] as const).filter((one) => wishes[one]).join(" "));
  return true;
}

/** How a session stands, as far as a notification tells of it. */
export type NotifyState = {
  id: string;
  title: string;
  state: SessionState;
  asks?: Doing["kind"] | undefined;
};

/**
 * Tells of sessions that have begun to wait, or have ended, since the look before; also in a hidden tab, which
 * looks every 15 s. `isBoard`: what is missing now has ended.
 */
export function useNotifications(standings: readonly NotifyState[] | undefined, isBoard = false): void {
  const wishes = useNotifyWishes();
  const before = useRef<Map<string, NotifyState> | null>(null);
  useEffect(() => {
    if (!standings) return;
    const now = withKnownStates(before.current, standings);
    for (const { id, title, body, wish } of before.current ? newsOf(before.current, now, isBoard) : []) {
      if (wishes[wish] && "Notification" in window && Notification.permission === "granted")
        tell(id, title, body);
    }
    before.current = now;
  }, [standings, wishes, isBoard]);
}

/** Standings by id. A session that may go on in a moment counts as what it was. */
export function withKnownStates(
  before: ReadonlyMap<string, NotifyState> | null,
  standings: readonly NotifyState[],
): Map<string, NotifyState> {
  return new Map(
    standings.map((one) => {
      const was = one.state === "unknown" ? before?.get(one.id)?.state : undefined;
      return [one.id, was ? { ...one, state: was } : one];
    }),
  );
}

function tell(id: string, title: string, body: string): void {
  // Told by several tabs it is still one.
  const notification = new Notification(title, { body, tag: id });
  notification.onclick = () => window.focus();
}

/** What has happened between two looks at sessions. */
export function newsOf(
  before: ReadonlyMap<string, NotifyState>,
  now: ReadonlyMap<string, NotifyState>,
  isBoard: boolean,
): { id: string; title: string; body: string; wish: keyof NotifyWishes }[] {
  const news: ReturnType<typeof newsOf> = [];
  for (const [id, { title, state, asks }] of now) {
    const was = before.get(id)?.state ?? null;
    if (state === "waiting" && was !== "waiting" && (isBoard || was !== null))
      news.push({ id, title, body: ASKS[asks ?? "tool"] ?? "Waiting for you", wish: "needs" });
    if (was === "running" && OVER[state]) news.push({ id, title, body: OVER[state], wish: "ends" });
  }
  for (const [id, { title, state }] of before) {
    if (isBoard && state === "running" && !now.has(id))
      news.push({ id, title, body: OVER.idle ?? "", wish: "ends" });
  }
  return news;
}

const ASKS: Partial<Record<Doing["kind"], string>> = {
  question: "Has a question for you",
  permission: "Asks for permission",
};

const OVER: Partial<Record<SessionState, string>> = {
  idle: "Finished",
  ended: "Finished",
  interrupted: "Stopped midway",
};

function subscribe(listener: () => void): () => void {
  return followStored(KEY, listener);
}
