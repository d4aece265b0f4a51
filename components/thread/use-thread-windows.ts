import { useSyncExternalStore } from "react";
import type { ThreadWindows, WindowsSnapshot } from "./thread-windows";

/** Renders again whenever pages of the list come or go. */
export function useThreadWindows<Item>(windows: ThreadWindows<Item>): WindowsSnapshot {
  return useSyncExternalStore(windows.subscribe, windows.getSnapshot, windows.getSnapshot);
}
