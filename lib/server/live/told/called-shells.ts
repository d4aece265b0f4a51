import { type ClientShell, SHELL_NEWS_MS } from "./client-shells";
import type { PendingCall, TailFacts } from "./tail-facts";

/** The beginnings of a call's input and of a shell's command are compared as far as this. */
const COMPARED = 200;

/** What a client's shells tell of calls. */
export type CalledShells = {
  /** The log's facts, without the calls whose shells have ended: their results are on their way into it. */
  facts: TailFacts;
  /** Of the calls that run, by their ids: nobody is asked about them. */
  running: ReadonlyMap<string, ClientShell>;
  /** A command that has begun and that the log does not tell of yet. */
  begun: ClientShell | null;
  /** Those that are over and were none of the log's open calls. */
  ended: readonly ClientShell[];
};

/**
 * Which of a log's open calls the shells of its client are of. Each is found by its command, and began after the call's
 * line was made; one that is not found says nothing.
 */
export function calledShells(facts: TailFacts, shells: readonly ClientShell[], nowMs: number): CalledShells {
  if (shells.length === 0) return { facts, running: new Map(), begun: null, ended: [] };
  const left = new Set(shells);
  const running = new Map<string, ClientShell>();
  const over = new Map<string, number>();
  for (const call of facts.pending) {
    const shell = [...left].find((one) => one.seenAtMs >= (call.atMs ?? Infinity) && isOf(one, call, facts));
    if (!shell) continue;
    left.delete(shell);
    if (shell.endedAtMs === null) running.set(call.id, shell);
    else over.set(call.id, shell.endedAtMs);
  }
  const pending = facts.pending.filter(({ id }) => !over.has(id));
  const begun = [...left].find((shell) => isNews(shell, facts, nowMs)) ?? null;
  const ended = [...left].filter(({ endedAtMs }) => endedAtMs !== null);
  if (over.size === 0) return { facts, running, begun, ended };
  const isAllOver = pending.length === 0;
  const rest: TailFacts = isAllOver
    ? { ...facts, pending, last: "result", lastMessageAtMs: Math.max(...over.values()) }
    : { ...facts, pending };
  return { facts: rest, running, begun, ended };
}

function isOf({ command }: ClientShell, { id }: PendingCall, { calls }: TailFacts): boolean {
  const call = calls.find((one) => one.id === id);
  const beginning = command.slice(0, COMPARED);
  return call !== undefined && beginning !== "" && call.text.includes(beginning);
}

/**
 * It began after all that the log tells of. One in the background runs on when the log has its call and its result, which
 * were made after it began.
 */
function isNews(shell: ClientShell, { lastNodeAtMs }: TailFacts, nowMs: number): boolean {
  const isFresh = shell.endedAtMs === null && nowMs - shell.seenAtMs < SHELL_NEWS_MS;
  return isFresh && shell.afterMs !== null && shell.afterMs > (lastNodeAtMs ?? 0);
}
