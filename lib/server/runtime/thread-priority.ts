import { setPriority } from "node:os";

/**
 * How far a thread's work stands behind the server's own thread, and behind the browser that shows what it answers:
 * for what a reader waits for a third of their share of a core, for all else a tenth, and for what nobody waits for
 * hardly more than they all leave.
 */
export const Nice = { awaited: 5, background: 10, idle: 19 } as const;

/** Linux alone gives each thread a priority of its own: elsewhere it would be the whole server's. */
export const hasThreadPriorities = process.platform === "linux";

/** Lets readers' requests go before this thread's work where there are fewer cores than threads. */
export function lowerPriority(nice: (typeof Nice)[keyof typeof Nice]): void {
  if (!hasThreadPriorities) return;
  try {
    setPriority(0, nice);
  } catch (error) {
    // A container may forbid it: then the work goes on as it is.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR")) throw error;
  }
}
