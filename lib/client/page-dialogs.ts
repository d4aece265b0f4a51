import { useSyncExternalStore } from "react";

export type PageDialog = "settings" | "keys" | "share" | "go-to";

let shown: PageDialog | null = null;
const listeners = new Set<() => void>();

/** Opens one of the dialogs that every page has, or closes it (`null`). */
export function openPageDialog(dialog: PageDialog | null): void {
  shown = dialog;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dialog that is open. */
export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
}
