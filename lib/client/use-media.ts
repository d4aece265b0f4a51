import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds; `false` on the server. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** Whether the page is as narrow as a phone, the `sm` of globals.css. */
export function useNarrow(): boolean {
  return useMedia("(width < 641px)");
}
