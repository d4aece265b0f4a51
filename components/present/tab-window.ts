import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import type { SessionId } from "@/lib/wire/ids";

const KEY = "backscroll.window";

/** By what a window is known to who presents, and which presentation its reader has stopped following. */
export type TabWindow = { window: string; left: string | null };

/**
 * Keeps what a page is known by, as it goes, for the same session's page that comes next in its tab: a reload is no
 * other reader. Once, and only while the page is gone, so that a copy of the tab is a window of its own.
 */
export function keepTabWindow(sessionId: SessionId, { window, left }: TabWindow): void {
  writeStored(KEY, JSON.stringify({ sessionId, window, left }), "tab");
}

/** The browser has kept the page itself. */
export function forgetTabWindow(): void {
  writeStored(KEY, null, "tab");
}

/** What the page before in this tab was known by, if that showed this session. */
export function takeTabWindow(sessionId: SessionId): TabWindow | null {
  const { sessionId: of, window, left } = fieldsOf(parseJson(readStored(KEY, "tab") ?? ""));
  // Its reader may come back to it from another session's page.
  if (of !== sessionId || typeof window !== "string") return null;
  forgetTabWindow();
  return { window, left: typeof left === "string" ? left : null };
}
