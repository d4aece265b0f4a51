import { formatPlural } from "@/lib/format/format";
import { describeCall } from "@/lib/log/rows/calls/describe-call";
import { toolNamed } from "@/lib/tools/tools";
import { formatRecordId, MAIN_LOG_KEY, type SessionId } from "@/lib/wire/ids";
import type { Doing, LiveState } from "@/lib/wire/live";
import type { AskingAgent } from "./told/agent-calls";
import { hasRested, LINE_LAG_MS, type SeenClient } from "./told/asked-calls";
import type { CalledShells } from "./told/called-shells";
import type { ClientShell } from "./told/client-shells";
import type { TypedPrompt } from "./told/prompt-history";
import type { RegistryEntry } from "./told/registry";
import { isMidway, type PendingCall, type TailFacts } from "./told/tail-facts";

/** A model that thinks longer than this without a line has most likely stopped. */
export const THINKING_MS = 5 * 60_000;
/** Clients give a command ten minutes at most. A person who is asked may take as long. */
export const TOOL_MS = 15 * 60_000;
/** An agent that has written nothing for this long is ignored, unless its end is still to be reported: then it may be thinking. */
const AGENTS_MS = 20_000;
/** 2.0.42 writes what was typed to its history this long after the turn was over that it began. */
const HISTORY_LAG_MS = 5_000;

/** All that is known of a session by which it is told how it stands. */
export type StateSources = {
  sessionId: SessionId;
  facts: TailFacts;
  /** The client's own registry entry, if any, and whether its process is alive (`null`: unknown). */
  entry: RegistryEntry | null;
  lives: boolean | null;
  /** When the client removed its entry from the registry, which it does as it ends. */
  endedAtMs: number | null;
  /** The client that was seen writing the log, where it registers nothing. */
  client: SeenClient | null;
  /** When the newest line of any of the session's agents was written. */
  agentsAtMs: number | null;
  /** The agents whose logs have a call open that a person may be asked about. */
  askingAgents: readonly AskingAgent[];
  /** What its person typed last, which may not be in the log yet. */
  typed: TypedPrompt | null;
  /** The shells that its client runs commands in, where that is known. */
  shells: readonly ClientShell[];
  nowMs: number;
};

/** The same, with what the shells tell of the log's calls. */
export type Sources = StateSources & Omit<CalledShells, "facts">;

/** How a session stands, what it does, and since when. */
export type StateFields = Pick<LiveState, "state" | "doing" | "sinceMs">;

/** What the end of a log says: the open call, or that the model thinks. */
export function doingOf(facts: TailFacts): Doing {
  const call = facts.pending.at(-1);
  return call ? ofCall("tool", call, call.atMs) : thinking(facts);
}

/** The model thinks, since the last message. */
export function thinking(facts: TailFacts): Doing {
  return ofCall("thinking", null, facts.lastMessageAtMs);
}

/** Something that is done with a call, or `null` where with none, since a time in epoch milliseconds. */
export function ofCall(kind: Doing["kind"], call: PendingCall | null, sinceMs: number | null): Doing {
  return {
    kind,
    name: call?.name ?? null,
    subject: call?.subject ?? null,
    recordId: call ? formatRecordId(MAIN_LOG_KEY, call.offset) : null,
    sinceMs,
    partial: call?.partial ?? null,
  };
}

/**
 * What follows from what was typed last, `null` where that is in the log or has come to nothing. A log of a turn that goes
 * on tells more than what was typed meanwhile. Up to 2.0.76 a compaction, done or cancelled, is in the log only when it is
 * over, and so is a command for the shell in all versions.
 */
export function ofTyped(sources: Sources): Doing | null {
  const { typed, facts, ended, nowMs } = sources;
  if (!typed || isMidway(facts) || typed.atMs <= (facts.lastNodeAtMs ?? 0)) return null;
  if (isLateHistory(sources)) return null;
  const { atMs, compacts, shell } = typed;
  const holdsMs = shell !== null ? TOOL_MS : compacts ? THINKING_MS : LINE_LAG_MS;
  if (Math.abs(nowMs - atMs) >= holdsMs) return null;
  if (shell === null) return ofCall("thinking", null, atMs);
  // The model may answer to it (2.1.332).
  const own = ended.find(({ command, seenAtMs }) => command === shell && seenAtMs >= atMs);
  if (own) return ofCall("thinking", null, own.endedAtMs);
  return { ...ofCall("tool", null, atMs), name: "Shell", subject: shell };
}

/**
 * The model thinks about what was typed, as the client's note of its files tells that stands ahead of that; `null` where
 * there is none, or the client has been at rest since: it has answered a command itself.
 */
export function ofNoted({ facts, client, nowMs }: StateSources): Doing | null {
  const { notedAtMs } = facts;
  if (notedAtMs === null || isMidway(facts) || notedAtMs <= (facts.lastNodeAtMs ?? 0)) return null;
  if (Math.abs(nowMs - notedAtMs) >= LINE_LAG_MS) return null;
  return client && hasRested(client, notedAtMs) ? null : ofCall("thinking", null, notedAtMs);
}

/** Whether what was typed is in the log already, and was answered: the same may be typed again, but hardly so soon. */
function isLateHistory({ typed, facts, entry }: StateSources): boolean {
  if (!typed || entry !== null) return false;
  return typed.words === facts.lastTyped && typed.atMs - (facts.lastNodeAtMs ?? 0) < HISTORY_LAG_MS;
}

/** A command that has begun before its call is in the log, `null` where it may be an agent's. */
export function ofBegun({ begun, facts, agentsAtMs }: Sources): Doing | null {
  if (!begun || facts.pending.length > 0 || facts.background.length > 0) return null;
  if ((agentsAtMs ?? 0) > (facts.lastNodeAtMs ?? 0)) return null;
  const call = { name: "Bash", input: { command: begun.command }, cwd: null };
  const { subject } = describeCall({ ...call, isError: false, text: null, isCut: false, result: null });
  return { ...ofCall("tool", null, begun.seenAtMs), name: call.name, subject };
}

/**
 * Between a turn and the next, which what was queued begins, 2.1.332 is `idle` for 70 ms: for a moment that is no end.
 * `null` where nothing is queued, or the client has left it there.
 */
export function ofQueued({ entry, facts, nowMs }: StateSources): StateFields | null {
  const overMs = facts.queued > 0 ? Math.max(entry?.statusSinceMs ?? 0, facts.lastAtMs ?? 0) : 0;
  const sinceMs = Math.max(facts.takenAtMs ?? 0, overMs);
  if (Math.abs(nowMs - sinceMs) >= LINE_LAG_MS) return null;
  return { state: "running", doing: ofCall("thinking", null, sinceMs), sinceMs };
}

/** Agents running in the background while the model waits for them, `null` without any. */
export function ofAgents({ facts, entry, lives, agentsAtMs, nowMs }: StateSources): Doing | null {
  // A clock that was set back is no sign of life.
  const silentMs = Math.abs(nowMs - Math.max(agentsAtMs ?? 0, facts.lastAtMs ?? 0));
  const { length } = facts.background;
  const isOut =
    length > 0
      ? silentMs < (lives === true ? TOOL_MS : THINKING_MS)
      : entry !== null &&
        (entry.status === "idle" || entry.status === "shell") &&
        (agentsAtMs ?? 0) > Math.max(entry.statusSinceMs ?? 0, facts.lastAtMs ?? 0) &&
        silentMs < AGENTS_MS;
  if (!isOut) return null;
  const subject = length > 0 ? formatPlural(length, "agent") : null;
  return { ...ofCall("agents", null, facts.lastMessageAtMs), subject };
}

/** The open question, if only questions are open. */
export function openQuestion({ pending }: TailFacts): PendingCall | null {
  return pending.every(({ name }) => asksUser(name)) ? (pending[0] ?? null) : null;
}

/** Whether a tool asks its person a question. */
export function asksUser(name: string): boolean {
  return toolNamed(name)?.asks === "question";
}
