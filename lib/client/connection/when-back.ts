import { ApiError, UNREACHABLE } from "./api-error";
import { hasJustAnswered } from "./known-server";
import { askWhetherThere } from "./send";

/** A server that does not answer is asked this often whether it is there again. */
const ASK_MS = 4_000;
/** What fails again as soon as it is asked for is asked for at pauses of up to this. */
const MAX_ASK_MS = 60_000;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let askMs = ASK_MS;
let toldAtMs = Number.NEGATIVE_INFINITY;

/** True for a request that nobody has answered: what it was for can be asked for again once somebody does. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === UNREACHABLE.code;
}

/**
 * Calls once when the server answers again, which errors of the code `unreachable` promise to the reader. Until then it
 * is asked every 4 s while the tab is looked at, and at once when that is. Where it answers that alone, and not what is
 * waited for, the pauses grow.
 * @returns stops waiting
 */
export function whenBack(call: () => void): () => void {
  waiting.add(call);
  if (timer === null) {
    const failsAgain = performance.now() - toldAtMs < 2 * ASK_MS;
    askMs = failsAgain ? Math.min(MAX_ASK_MS, 2 * askMs) : ASK_MS;
    timer = setInterval(look, askMs);
    document.addEventListener("visibilitychange", look);
  }
  return () => {
    waiting.delete(call);
    endIfDone();
  };
}

function look(): void {
  if (document.hidden) return;
  if (hasJustAnswered()) return tell();
  askWhetherThere().then(tell, (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

function tell(): void {
  const calls = [...waiting];
  waiting.clear();
  endIfDone();
  toldAtMs = performance.now();
  for (const call of calls) call();
}

function endIfDone(): void {
  if (waiting.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
  document.removeEventListener("visibilitychange", look);
}
