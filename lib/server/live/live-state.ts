import type { SessionId } from "@/lib/wire/ids";
import type { Doing, LiveState } from "@/lib/wire/live";
import type { RegistryEntry } from "./registry";
import type { PendingCall, TailFacts } from "./tail-facts";

/** A model that thinks longer than this without a line has most likely gone. */
const THINKING_MS = 5 * 60_000;
/** The longest time a client gives a command is ten minutes. A person who is asked may take as long. */
const TOOL_MS = 15 * 60_000;
/** Up to 2.1.42 a text does not tell whether a call follows it in the same message. */
const MAY_GO_ON_MS = 8_000;
/** A session that nobody wrote to for this long, and that no registry names, is over. */
const IDLE_MS = 10 * 60_000;
/** An agent that has written nothing for this long is not counted on; one whose end is still to be told may think. */
const AGENTS_MS = 20_000;

const QUESTIONS = new Set(["AskUserQuestion", "ask_user_question", "ExitPlanMode", "exit_plan_mode"]);
const CONTEXT_TOKENS = 200_000;
const LARGE_CONTEXT_TOKENS = 1_000_000;

export type StateSources = {
  sessionId: SessionId;
  facts: TailFacts;
  /** The client's own word, where it registered itself, and whether its process lives (`null`: cannot be told). */
  entry: RegistryEntry | null;
  lives: boolean | null;
  /** When the newest line of any of the session's agents was written. */
  agentsAtMs: number | null;
  nowMs: number;
};

/** How a session stands. The registry's word goes before what its records suggest, as far as it can be believed. */
export function liveState(sources: StateSources): LiveState {
  const { sessionId, facts, entry, lives } = sources;
  const believed = isBelieved(sources);
  const stand =
    lives === false ? afterEnd(facts) : ((believed ? fromRegistry(sources) : null) ?? fromRecords(sources));
  const { state, doing, sinceMs } = stand;
  const gone = state === "interrupted" && facts.last !== "interruption";
  return {
    sessionId,
    state,
    sinceMs: sinceMs ?? facts.lastAtMs,
    // What it was at when it was last heard of.
    doing: gone ? doingOf(facts) : doing,
    pid: believed ? (entry?.pid ?? null) : null,
    gone,
    checked: lives !== null,
    lastLineAtMs: Math.max(facts.lastAtMs ?? 0, sources.agentsAtMs ?? 0) || null,
    lastText: facts.lastText,
    contextTokens: facts.contextTokens,
    contextLimit: facts.contextTokens === null ? null : limitOf(facts),
  };
}

type Stand = Pick<LiveState, "state" | "doing" | "sinceMs">;

/**
 * A registry entry whose process runs is true. Where nobody can tell (the pid is of another container, machine
 * or system, or the folder is a copy), it holds as long after the last sign of life as a model may think, and
 * while a call runs or a person is asked as long as a call may take.
 */
function isBelieved({ entry, lives, facts, agentsAtMs, nowMs }: StateSources): boolean {
  if (!entry || lives !== null) return lives === true;
  const signMs = Math.max(
    facts.lastAtMs ?? 0,
    agentsAtMs ?? 0,
    entry.statusSinceMs ?? 0,
    entry.startedAtMs ?? 0,
  );
  const holdsMs = facts.pending.length > 0 || entry.status === "waiting" ? TOOL_MS : THINKING_MS;
  // A time to come, of a clock that is wrong, is no sign either.
  return Math.abs(nowMs - signMs) < holdsMs;
}

function fromRegistry({ entry, facts, agentsAtMs, nowMs }: StateSources): Stand | null {
  if (!entry?.status) return null;
  const { statusSinceMs: sinceMs } = entry;
  if (entry.status === "idle") {
    // 2.1.330 runs agents in the background: the client is idle meanwhile, and says so.
    const silentMs = nowMs - (agentsAtMs ?? 0);
    const agentsRun =
      facts.background.length > 0
        ? silentMs < THINKING_MS
        : (agentsAtMs ?? 0) > (sinceMs ?? 0) && silentMs < AGENTS_MS;
    return { state: agentsRun ? "running" : "idle", doing: null, sinceMs };
  }
  if (entry.status === "busy") return { state: "running", doing: doingOf(facts), sinceMs };
  const call = facts.pending.find(({ name }) => QUESTIONS.has(name)) ?? facts.pending.at(-1);
  const asks = call !== undefined && QUESTIONS.has(call.name);
  const doing = ofCall(asks ? "question" : "permission", call ?? null, sinceMs);
  return { state: "waiting", doing, sinceMs };
}

function fromRecords(sources: StateSources): Stand {
  const { facts, entry, lives, nowMs, agentsAtMs } = sources;
  const ageMs = Math.abs(nowMs - Math.max(facts.lastAtMs ?? 0, agentsAtMs ?? 0));
  // 2.1.110 registers its process and no status: then age tells nothing.
  const known = entry !== null && lives === true;
  const rest: Stand = {
    state: known || ageMs < IDLE_MS ? "idle" : "ended",
    doing: null,
    sinceMs: facts.lastAtMs,
  };
  if (facts.last === "none") return { ...rest, state: known ? "idle" : "unknown" };
  if (facts.last === "interruption") return known ? rest : { ...rest, state: "interrupted" };
  const [call] = facts.pending;
  if (call) {
    if (!known && ageMs > TOOL_MS) return afterEnd(facts);
    if (QUESTIONS.has(call.name))
      return { state: "waiting", doing: ofCall("question", call, call.atMs), sinceMs: call.atMs };
    return { state: "running", doing: doingOf(facts), sinceMs: call.atMs };
  }
  const waits = facts.last === "prompt" || facts.last === "result" || facts.last === "thinking";
  const goesOn = facts.ended === false || (facts.ended === null && (waits || ageMs < MAY_GO_ON_MS));
  if (!goesOn) return rest;
  if (!known && ageMs > THINKING_MS) return waits || facts.ended === false ? afterEnd(facts) : rest;
  return { state: "running", doing: doingOf(facts), sinceMs: facts.lastAtMs };
}

/** The process is gone, or nothing came for too long: midway, or at a turn's end. */
function afterEnd(facts: TailFacts): Stand {
  const midway =
    facts.pending.length > 0 ||
    facts.last === "interruption" ||
    facts.ended === false ||
    facts.last === "prompt" ||
    facts.last === "result";
  return { state: midway ? "interrupted" : "ended", doing: null, sinceMs: facts.lastAtMs };
}

function doingOf({ pending, lastAtMs }: TailFacts): Doing {
  const call = pending.at(-1);
  if (call) return ofCall("tool", call, call.atMs);
  return { kind: "thinking", name: null, subject: null, recordId: null, sinceMs: lastAtMs, partial: null };
}

function ofCall(kind: Doing["kind"], call: PendingCall | null, sinceMs: number | null): Doing {
  return {
    kind,
    name: call?.name ?? null,
    subject: call?.subject ?? null,
    recordId: call ? (`m~${call.offset.toString(36)}` as Doing["recordId"]) : null,
    sinceMs,
    partial: call?.partial ?? null,
  };
}

function limitOf({ contextTokens, model }: TailFacts): number {
  const large = model?.includes("[1m]") === true || (contextTokens ?? 0) > CONTEXT_TOKENS;
  return large ? LARGE_CONTEXT_TOKENS : CONTEXT_TOKENS;
}
