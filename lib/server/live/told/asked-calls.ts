import { startsAgents, toolNamed } from "@/lib/tools/tools";
import { type AskingAgent, isSoonOver } from "./agent-calls";
import type { ClientRest } from "./client-rests";
import type { ClientShell } from "./client-shells";
import type { LogWriter } from "./log-writers";
import type { PendingCall, TailFacts } from "./tail-facts";

/** Lines are flushed this long after the registry entry that refers to them. */
export const LINE_LAG_MS = 1_500;

/**
 * A client that registers nothing, as its process tells of it: that it wrote the log, and whether it waits. `isConnected`:
 * looks whether the model may be answering it, `null` where that is not known.
 */
export type SeenClient = LogWriter & { rest: ClientRest | null; isConnected: () => boolean | null };

/** Whether its client has been at rest since: what its log told of then is over, or waits for its person. */
export function hasRested({ lives, wroteAtMs, rest }: SeenClient, sinceMs: number | null): boolean {
  return lives && (rest?.fromMs ?? 0) >= Math.max(wroteAtMs, sinceMs ?? 0);
}

/**
 * Whether nobody answers what was asked last: the client does nothing, and has no connection. Rest alone would not do, since
 * nothing is drawn either while its person reads the transcript.
 */
export function isGivenUp(client: SeenClient | null, sinceMs: number | null): boolean {
  if (client === null || client.rest?.is === "working" || !hasRested(client, sinceMs)) return false;
  return client.isConnected() === false;
}

type Evidence = {
  client: SeenClient | null;
  facts: Pick<TailFacts, "pending" | "calls" | "background">;
  shells: readonly ClientShell[];
  askingAgents: readonly AskingAgent[];
};

/** The call that a person is asked about; `null` where it is an agent's in the background. */
export type AskedCall = { call: PendingCall | null; sinceMs: number };

/**
 * What a person is asked about by a client that registers nothing, `null` where that is not certain. The client does
 * nothing, no command runs that may be of an open call, and all calls that are open would be seen to run, or be over. Of one
 * that may take any time nothing is known: its person may be reading the transcript, and nothing be drawn.
 */
export function askedCall({ client, facts, shells, askingAgents }: Evidence): AskedCall | null {
  if (client?.rest?.is !== "resting" || commandsOf(facts, shells).length > 0) return null;
  const { pending } = facts;
  const agents = askingAgents.filter((agent) => isOut(agent, facts));
  const own = pending.filter(({ name }) => toolNamed(name)?.asks !== "never");
  if (own.length + agents.length === 0 || !own.every(({ name }) => isSoonOver(name))) return null;
  if (!agents.every(({ soonOver }) => soonOver)) return null;
  const sinceMs = Math.max(...pending.map((call) => call.atMs ?? 0), ...agents.map(({ atMs }) => atMs));
  return hasRested(client, sinceMs) ? { call: own[0] ?? pending.at(-1) ?? null, sinceMs } : null;
}

/** Whether a client that registers nothing is at work on a command: while its person is asked it would do nothing. */
export function isAtWork({ client, facts, shells }: Evidence): boolean {
  return (
    client?.rest?.is === "working" && commandsOf(facts, shells).some(({ endedAtMs }) => endedAtMs === null)
  );
}

/** Those that may be of open calls, as one that has just ended: commands in the background are of calls that are over. */
function commandsOf({ pending, calls }: Evidence["facts"], shells: readonly ClientShell[]): ClientShell[] {
  const open = new Set(pending.map(({ id }) => id));
  const over = calls.filter(({ id }) => !open.has(id));
  return shells.filter(({ command }) => command === "" || !over.some(({ text }) => text.includes(command)));
}

/** Whether an agent is at work, of those that the log tells of. */
export function isOut({ agentId, atMs }: AskingAgent, { pending, background }: Evidence["facts"]): boolean {
  const call = pending.at(-1);
  // A file's time may be some milliseconds before that of a line that was written first.
  const isCalled = call !== undefined && startsAgent(call.name) && atMs + LINE_LAG_MS >= (call.atMs ?? 0);
  return isCalled || background.includes(agentId);
}

function startsAgent(name: string): boolean {
  const tool = toolNamed(name);
  return tool !== null && tool !== undefined && startsAgents(tool);
}
