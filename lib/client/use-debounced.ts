import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Preferences } from "./preferences";

/** A value once it has stood still for `delayMs`. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

const FLASH_MS = 150;

/** True once `active` has held for a moment: a skeleton that would only flash is not shown. */
export function useDelayed(active: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), FLASH_MS);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [active]);
  return active && passed;
}

/** One list a query: it is read with every render. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether a media query holds; `false` on the server. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => listOf(query).matches,
    () => false,
  );
}

/** Whether the page is as narrow as a phone, the `sm` of globals.css. */
export function useNarrow(): boolean {
  return useMedia("(width < 641px)");
}

/** What `--u` and `--roomy` in globals.css are, for code that has to know heights before they are drawn. */
export function measuresOf(preferences: Pick<Preferences, "textPx" | "rows">): {
  unit: number;
  roomyPx: number;
} {
  const unit = { 12: 0.923, 13: 1, 14: 1.077, 16: 1.231 }[preferences.textPx];
  return { unit, roomyPx: preferences.rows === "roomy" ? 6 : 0 };
}
