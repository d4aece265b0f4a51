import type { SessionSummary } from "@/lib/wire/library";

/** Still being written, as far as can be told; a session just ended may get its last lines. */
export function isLive(session: Pick<SessionSummary, "state"> | null): boolean {
  return session?.state === "running" || session?.state === "waiting" || session?.state === "idle";
}
