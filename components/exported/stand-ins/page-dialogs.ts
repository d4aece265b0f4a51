import { useSyncExternalStore } from "react";
import type { PageDialog } from "@/lib/client/page-dialogs";

/* In the place of `lib/client/page-dialogs.ts`: a file has no history of dialogs. */

let shown: PageDialog | null = null;
const listeners = new Set<() => void>();

export function openPageDialog(dialog: PageDialog | null): void {
  shown = dialog;
  for (const listener of [...listeners]) listener();
}

export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
