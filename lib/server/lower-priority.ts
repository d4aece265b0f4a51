import { setPriority } from "node:os";

/** Behind the server's own thread, and behind the browser that shows what it answers. */
const NICE = 10;

/**
 * Lets readers' requests go before this thread's work where there are fewer cores than threads. Linux alone gives each
 * thread a priority of its own: elsewhere it would be the whole server's.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, NICE);
  } catch (error) {
    // A container may forbid it: then the work goes on as it is.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR")) throw error;
  }
}
