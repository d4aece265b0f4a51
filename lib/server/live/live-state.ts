import type { SessionId } from "@/lib/wire/ids";
import type { Doing, LiveState } from "@/lib/wire/live";
import type { RegistryEntry } from "./registry";
import type { PendingCall, TailFacts } from "./tail-facts";

/** A model that thinks longer than this without a line has most likely gone. */
const THINKING_MS = 5 * 60_000;
/** The longest time a client gives a command is ten minutes. */
const TOOL_MS = 15 * 60_000;
/** Up to 2.1.42 a text does not tell whether a call follows it in the same message. */
const MAY_GO_ON_MS = 8_000;
/** A session that nobody wrote to for this long, and that no registry names, is over. */
const IDLE_MS = 10 * 60_000;
/** What a registry of another machine or container says holds no longer than this after the last line. */
const FOREIGN_MS = 24 * 60 * 60_000;

/** An agent that has written nothing for this long is not counted on. */
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
  /** The newest line of any of the session's agents. */
  agentsAtMs: number | null;
  nowMs: number;
};

/** How a session stands. The registry's word goes before what its records suggest. */
export function liveState(sources: StateSources): LiveState {
  const { sessionId, facts, entry } = sources;
  const alive = isAlive(sources);
  const { state, doing, sinceMs } =
    alive === false ? afterEnd(facts) : (fromRegistry(sources) ?? fromRecords(sources));
  const gone = state === "interrupted" && facts.last !== "interruption";
  return {
    sessionId,
    state,
    sinceMs: sinceMs ?? facts.lastAtMs,
    doing,
    pid: alive === false ? null : (entry?.pid ?? null),
    gone,
    lastLineAtMs: facts.lastAtMs,
    lastText: facts.lastText,
    contextTokens: facts.contextTokens,
    contextLimit: facts.contextTokens === null ? null : limitOf(facts),
  };
}

type Stand = Pick<LiveState, "state" | "doing" | "sinceMs">;

function isAlive({ entry, lives, nowMs, facts }: StateSources): boolean | null {
  if (!entry || lives !== null) return entry ? lives : null;
  const newestMs = Math.max(facts.lastAtMs ?? 0, entry.statusSinceMs ?? 0, entry.startedAtMs ?? 0);
  return nowMs - newestMs < FOREIGN_MS ? null : false;
}

function fromRegistry({ entry, facts, agentsAtMs, nowMs }: StateSources): Stand | null {
  if (!entry?.status) return null;
  const { statusSinceMs: sinceMs } = entry;
  if (entry.status === "idle") {
    // 2.1.330 runs agents in the background: the client is idle meanwhile, and says so.
    const agentsRun = (agentsAtMs ?? 0) > (sinceMs ?? 0) && nowMs - (agentsAtMs ?? 0) < AGENTS_MS;
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
  const ageMs = nowMs - Math.max(facts.lastAtMs ?? 0, agentsAtMs ?? 0);
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
