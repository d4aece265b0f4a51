import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import type { SessionId } from "@/lib/wire/ids";

const KEY = "backscroll.presented";
/** So long the server keeps what a window presents that is gone. */
const GOES_ON_MS = 20_000;

/** Keeps what this tab presents, as its page goes. Nothing but a reload can tell whether that goes on. */
export function keepForReload(sessionId: SessionId, presentation: string): void {
  writeStored(KEY, JSON.stringify({ sessionId, presentation, atMs: Date.now() }), "tab");
}

/**
 * The id of what this tab presented of a session until its page was reloaded just now, once; `null` for none, and for a
 * page that is opened anew: whoever left it has ended what they presented there.
 */
export function takeAfterReload(sessionId: SessionId): string | null {
  const text = readStored(KEY, "tab");
  if (text === null) return null;
  writeStored(KEY, null, "tab");
  const kept = fieldsOf(parseJson(text));
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isRecent = Math.abs(Date.now() - Number(kept.atMs)) < GOES_ON_MS;
  const goesOn = navigation?.type === "reload" && isRecent && kept.sessionId === sessionId;
  return goesOn && typeof kept.presentation === "string" ? kept.presentation : null;
}
