import { useEffect, useRef, useSyncExternalStore } from "react";
import type { NowTile } from "@/lib/wire/live";

const KEY = "backscroll.notify";

/** When the browser tells the reader: a session waits for its person, a session ends. */
export type NotifyWishes = { needs: boolean; ends: boolean };

const NONE: NotifyWishes = { needs: false, ends: false };
const listeners = new Set<() => void>();
let cached: { text: string | null; wishes: NotifyWishes } = { text: null, wishes: NONE };

function read(): NotifyWishes {
  const text = localStorage.getItem(KEY);
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
  localStorage.setItem(KEY, (["needs", "ends"] as const).filter((one) => wishes[one]).join(" "));
  for (const listener of [...listeners]) listener();
  return true;
}

/** Tells of sessions that have begun to wait, or have ended, since the tiles before. */
export function useNotifications(tiles: readonly NowTile[] | undefined): void {
  const wishes = useNotifyWishes();
  const before = useRef<Map<string, NowTile> | null>(null);
  useEffect(() => {
    if (!tiles) return;
    const now = new Map(tiles.map((tile) => [tile.summary.id as string, tile]));
    for (const { title, body, wish } of before.current ? newsOf(before.current, now) : []) {
      if (wishes[wish] && Notification.permission === "granted") tell(title, body);
    }
    before.current = now;
  }, [tiles, wishes]);
}

function tell(title: string, body: string): void {
  const notification = new Notification(title, { body, tag: title });
  notification.onclick = () => window.focus();
}

/** What has happened between two looks at the board. */
export function newsOf(
  before: ReadonlyMap<string, NowTile>,
  now: ReadonlyMap<string, NowTile>,
): { title: string; body: string; wish: keyof NotifyWishes }[] {
  const news: { title: string; body: string; wish: keyof NotifyWishes }[] = [];
  for (const [id, { live, summary }] of now) {
    if (live.state !== "waiting" || before.get(id)?.live.state === "waiting") continue;
    news.push({
      title: summary.title,
      body: live.doing?.kind === "question" ? "It asks you something" : "It waits for you",
      wish: "needs",
    });
  }
  for (const [id, { live, summary }] of before) {
    if (live.state === "running" && !now.has(id))
      news.push({ title: summary.title, body: "It has ended", wish: "ends" });
  }
  return news;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
