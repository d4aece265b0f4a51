import type { SessionSummary } from "@/lib/wire/library";

type Standing = Pick<SessionSummary, "state" | "sinceMs">;

/** Whether a session runs, waits for its person, or may go on in a moment: then its state is `unknown` since a time. */
export function isUnderWay({ state, sinceMs }: Standing): boolean {
  return state === "running" || state === "waiting" || (state === "unknown" && sinceMs !== null);
}

/** Still being written, as far as can be told: it is under way, or has just ended and may get its last lines. */
export function isLive(session: Standing | null): boolean {
  return session !== null && (isUnderWay(session) || session.state === "idle");
}
