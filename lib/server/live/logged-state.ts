import { toolNamed } from "@/lib/tools/tools";
import {
  doingOf,
  ofAgents,
  ofBegun,
  ofCall,
  ofNoted,
  ofQueued,
  ofTyped,
  openQuestion,
  type Sources,
  type StateFields,
  THINKING_MS,
  TOOL_MS,
} from "./doing";
import { askedCall, hasRested, isAtWork, isGivenUp, isOut } from "./told/asked-calls";
import { isMidway, type TailFacts } from "./told/tail-facts";

/** Up to 2.1.42 a text does not show whether a call follows it in the same message. */
const MAY_GO_ON_MS = 8_000;
/** A session that was not written for this long, and that no registry names, is over. */
const IDLE_MS = 10 * 60_000;

/** How a session stands by its log, its agents’, what was typed, and its client’s processes, where no entry has a status. */
export function loggedState(sources: Sources): StateFields {
  const { facts, entry, lives, client, nowMs, agentsAtMs } = sources;
  const ageMs = Math.abs(nowMs - Math.max(facts.lastAtMs ?? 0, agentsAtMs ?? 0));
  // 2.1.110 registers its process without a status: then age proves nothing.
  const known = (entry !== null && lives === true) || client?.lives === true;
  const rest: StateFields = {
    state: known || ageMs < IDLE_MS ? "idle" : "ended",
    doing: null,
    sinceMs: facts.lastAtMs,
  };
  const typed = ofTyped(sources) ?? ofNoted(sources);
  if (typed) return { state: "running", doing: typed, sinceMs: typed.sinceMs };
  if (facts.last === "none")
    return known ? { ...rest, state: "idle" } : { state: "unknown", doing: null, sinceMs: null };
  if (facts.last === "interruption") return known ? rest : { ...rest, state: "interrupted" };
  const [call] = facts.pending;
  if (call) {
    if (!known && ageMs > TOOL_MS) return afterEnd(facts);
    const question = openQuestion(facts);
    if (question)
      return {
        state: "waiting",
        doing: ofCall("question", question, question.atMs),
        sinceMs: question.atMs,
      };
    const asking = asked(sources);
    if (asking) return asking;
    // The log does not distinguish a running call from one that a person is asked about.
    const doing = { ...doingOf(facts), mayAsk: entry?.entrypoint !== "sdk-cli" && mayAsk(sources) };
    return { state: "running", doing, sinceMs: call.atMs };
  }
  if (isMidway(facts)) {
    if (!known && ageMs > THINKING_MS) return afterEnd(facts);
    // 2.1.90 writes nothing of a prompt that its person took back before the answer began.
    if (isGivenUp(client, facts.lastMessageAtMs)) return rest;
    return {
      state: "running",
      doing: ofBegun(sources) ?? doingOf(facts),
      sinceMs: facts.lastMessageAtMs,
    };
  }
  const agents = ofAgents(sources);
  if (agents) {
    const asking = asked(sources);
    if (asking) return asking;
    const doing = { ...agents, mayAsk: entry?.entrypoint !== "sdk-cli" && mayAsk(sources) };
    return { state: "running", doing, sinceMs: facts.lastMessageAtMs };
  }
  // Whether the turn is over is not known yet, so no state is guessed.
  const isOver = client !== null && hasRested(client, facts.lastMessageAtMs);
  if (facts.ended === null && !isOver && Math.abs(nowMs - (facts.lastMessageAtMs ?? 0)) < MAY_GO_ON_MS)
    return {
      state: "unknown",
      doing: ofCall("answered", null, facts.lastMessageAtMs),
      sinceMs: facts.lastMessageAtMs,
    };
  return ofQueued(sources) ?? rest;
}

/** What its person is asked, where its client says nothing. */
function asked(sources: Sources): StateFields | null {
  const asking = askedCall(sources);
  if (!asking) return null;
  const { call, sinceMs } = asking;
  const doing = ofCall("permission", call, sinceMs);
  return { state: "waiting", doing: call ? doing : { ...doing, subject: "for an agent" }, sinceMs };
}

/** Whether the call that is open, or one of an agent that is at work, is of a kind that a person is asked about. */
function mayAsk(sources: Sources): boolean {
  const { facts, askingAgents, running } = sources;
  if (isAtWork(sources)) return false;
  const call = facts.pending.at(-1);
  if (askingAgents.some((agent) => isOut(agent, facts))) return true;
  if (call === undefined || call.partial !== null || running.has(call.id)) return false;
  return toolNamed(call.name)?.asks !== "never";
}

/** The process is gone, or nothing was written for too long: in the middle of a turn or at its end. */
export function afterEnd(facts: TailFacts): StateFields {
  const midway = isMidway(facts) || facts.last === "interruption";
  return { state: midway ? "interrupted" : "ended", doing: null, sinceMs: facts.lastAtMs };
}
