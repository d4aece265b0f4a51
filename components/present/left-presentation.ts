import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import type { SessionId } from "@/lib/wire/ids";

const KEY = "backscroll.presented";
/** Who comes back later than this may have forgotten that they presented. */
const MAX_AWAY_MS = 300_000;
/** How a page was loaded to which its tab has come back. */
const COMING_BACK: ReadonlySet<string> = new Set(["reload", "back_forward"]);

/** Keeps what this tab presents, as it leaves the session's page, for coming back to it. */
export function keepPresentation(sessionId: SessionId, presentation: string): void {
  const kept = { sessionId, presentation, atMs: Date.now(), document: performance.timeOrigin };
  writeStored(KEY, JSON.stringify(kept), "tab");
}

/** What this tab presented before is over. */
export function forgetPresentation(): void {
  writeStored(KEY, null, "tab");
}

/** What a tab presented before: its id, and whether it goes on. */
export type LeftPresentation = { id: string; goesOn: boolean };

/**
 * What this tab presented of a session until it left that session's page, once; `null` for nothing. It does not go on after
 * a while, nor on a page that was opened anew: by its address, not by a reload or the browser's Back.
 */
export function takePresentation(sessionId: SessionId): LeftPresentation | null {
  const text = readStored(KEY, "tab");
  const kept = fieldsOf(parseJson(text ?? ""));
  // It may be come back to from another session's page.
  const { presentation: id } = kept;
  if (text === null || kept.sessionId !== sessionId || typeof id !== "string") return null;
  forgetPresentation();
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isBack = kept.document === performance.timeOrigin || COMING_BACK.has(navigation?.type ?? "");
  return { id, goesOn: isBack && Math.abs(Date.now() - Number(kept.atMs)) < MAX_AWAY_MS };
}
