import { ApiError, UNREACHABLE } from "./api-error";
import { hasJustAnswered } from "./known-server";
import { askWhetherThere } from "./send";

/** A server that does not answer is asked this often whether it is there again. */
const ASK_MS = 4_000;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** True for a request that nobody has answered: what it was for can be asked for again once somebody does. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === UNREACHABLE.code;
}

/**
 * Calls once when the server answers again, which errors of the code `unreachable` promise to the reader. Until then it
 * is asked every 4 s while the tab is looked at, and at once when that is.
 * @returns stops waiting
 */
export function whenBack(call: () => void): () => void {
  waiting.add(call);
  if (timer === null) {
    timer = setInterval(look, ASK_MS);
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
  for (const call of calls) call();
}

function endIfDone(): void {
  if (waiting.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
  document.removeEventListener("visibilitychange", look);
}
