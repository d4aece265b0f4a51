import type { ThreadChoice } from "@/lib/client/thread-url";
import type { SessionDetail } from "@/lib/wire/session";

/**
 * How many turns the thread has that `choice` shows: those of its branch, which are fewer than the session's where
 * it was rewound. `null` where that is not known: no session yet, an agent's thread, a branch past the first 21.
 */
export function threadTurns(
  session: Pick<SessionDetail, "branches"> | null,
  { agent, branch }: Pick<ThreadChoice, "agent" | "branch">,
): number | null {
  if (!session || agent !== null) return null;
  const shown = session.branches.find(({ id, active }) => (branch === null ? active : id === branch));
  return shown?.turns ?? null;
}
