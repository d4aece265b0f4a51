import type { SessionSummary } from "@/lib/wire/library";

type Standing = Pick<SessionSummary, "state">;

/** Whether a session runs or waits for its person. */
export function isUnderWay({ state }: Standing): boolean {
  return state === "running" || state === "waiting";
}

/** Still being written, as far as can be told: it is under way, or has just ended and may get its last lines. */
export function isLive(session: Standing | null): boolean {
  return session !== null && (isUnderWay(session) || session.state === "idle");
}
