import { toolNamed } from "@/lib/tools/tools";
import {
  asksUser,
  doingOf,
  ofAgents,
  ofBegun,
  ofCall,
  ofQueued,
  ofTyped,
  openQuestion,
  type Sources,
  type StateFields,
  type StateSources,
  thinking,
} from "./doing";
import { LINE_LAG_MS } from "./told/asked-calls";
import { SHELL_NEWS_MS } from "./told/client-shells";
import type { RegistryEntry } from "./told/registry";
import { isMidway } from "./told/tail-facts";

/** The client's terms for what it waits for (2.1.170, 2.1.330), grouped. */
const ASKED_FOR: ReadonlyMap<string, "permission" | "question" | "menu"> = new Map([
  ["permission prompt", "permission"],
  ["sandbox request", "permission"],
  ["worker request", "permission"],
  ["goal proposal", "permission"],
  ["input needed", "question"],
  // The rewind, model or configuration menu, which a person has opened: it asks nothing.
  ["dialog open", "menu"],
]);

/** How a session stands by its client’s own entry, which is ahead of the log; `null` where that has no status (2.1.110). */
export function registeredState(sources: Sources): StateFields | null {
  const { entry, facts } = sources;
  if (!entry?.status) return null;
  const { status, statusSinceMs: sinceMs } = entry;
  if (status === "waiting") return waiting(sources, entry);
  // A question asked since the entry was `idle` or `busy` is open. After it was answered or dismissed the registry
  // is ahead of the log by 60–250 ms (2.1.330).
  const question = openQuestion(facts);
  if (question && (sinceMs ?? 0) < (question.atMs ?? 0))
    return { state: "waiting", doing: ofCall("question", question, question.atMs), sinceMs: question.atMs };
  if (status === "busy") {
    // Set before the turn's end: 2.1.170 and 2.1.330 stay busy while agents run. Set later: there was another prompt,
    // unless an agent had asked for permission and got it (2.1.330).
    const typed = ofTyped(sources);
    const isPrompted = (!entry.resumed && (sinceMs ?? 0) > (facts.lastMessageAtMs ?? 0)) || typed !== null;
    const agents = isMidway(facts) || isPrompted ? null : ofAgents(sources);
    // Since before `/clear` began this log, in which nothing was asked: its agents of before go on (2.1.332).
    const isLeft =
      facts.last === "none" && facts.notedAtMs === null && (sinceMs ?? 0) < (facts.lastNodeAtMs ?? 0);
    if (isLeft && typed === null)
      return { state: "running", doing: ofCall("agents", null, sinceMs), sinceMs };
    const own = typed ?? (question ? thinking(facts) : (ofBegun(sources) ?? doingOf(facts)));
    // The line of a prompt or an answer comes later, and a call that was asked about begins when that is over.
    const isBehind = own.kind === "thinking" || entry.resumed;
    const beganMs = isBehind ? Math.max(own.sinceMs ?? 0, sinceMs ?? 0) : own.sinceMs;
    return { state: "running", doing: agents ?? { ...own, sinceMs: beganMs || null }, sinceMs };
  }
  // A prompt's line may be read before the entry that turns `busy` with it (2.1.330: by up to 220 ms).
  if (isJustPrompted(sources))
    return { state: "running", doing: thinking(facts), sinceMs: facts.lastMessageAtMs };
  // 2.1.330 runs agents in the background: the client may be `idle` meanwhile.
  const doing = ofAgents(sources);
  if (doing) return { state: "running", doing, sinceMs };
  return (
    ofQueued(sources) ?? {
      state: "idle",
      doing: status === "shell" ? ofCall("shells", null, sinceMs) : null,
      sinceMs,
    }
  );
}

/** A prompt was written since the entry last changed. Only for a moment: a client may decline to send one. */
function isJustPrompted({ entry, facts, nowMs }: StateSources): boolean {
  const promptMs = facts.last === "prompt" ? (facts.lastMessageAtMs ?? 0) : 0;
  return promptMs > (entry?.statusSinceMs ?? 0) && Math.abs(nowMs - promptMs) < LINE_LAG_MS;
}

/** The client waits for its user, who was asked something or has opened a menu. */
function waiting(sources: Sources, entry: RegistryEntry): StateFields {
  const { facts } = sources;
  const { statusSinceMs: sinceMs, waitingFor } = entry;
  const group = ASKED_FOR.get(waitingFor ?? "");
  const question = facts.pending.find(({ name }) => asksUser(name)) ?? null;
  const asking =
    facts.pending.find(({ name }) => toolNamed(name)?.asks === undefined) ??
    facts.pending.find(({ name }) => !asksUser(name)) ??
    null;
  switch (group) {
    case "menu": {
      // A prompt that was taken back is the last line (2.1.332): the client has been idle since.
      const isOver = (entry.idleAtMs ?? 0) > (facts.lastMessageAtMs ?? 0);
      const busy = isMidway(facts) && !isOver ? doingOf(facts) : ofAgents(sources);
      if (busy) return { state: "running", doing: busy, sinceMs: busy.sinceMs };
      return { state: "idle", doing: ofCall("menu", null, sinceMs), sinceMs };
    }
    case "question":
      return { state: "waiting", doing: ofCall("question", question, sinceMs), sinceMs };
    case "permission": {
      const beganMs = answeredAtMs(sources, entry);
      if (beganMs !== null) return { state: "running", doing: doingOf(facts), sinceMs: beganMs };
      // 2.1.170 uses this for questions too, and 2.1.330 for a plan: the open call decides. From
      // 2.1.280 at the latest, which names the namespace of its pid, another call that is open beside a question is the
      // one asked about.
      const isQuestion = question !== null && (asking === null || entry.pidDomain === null);
      if (isQuestion) return { state: "waiting", doing: ofCall("question", question, sinceMs), sinceMs };
      // The registry is ahead of the line with the call, which has the details (2.1.170).
      const isEarly = asking === null && Math.abs(sources.nowMs - (sinceMs ?? 0)) < LINE_LAG_MS;
      if (isEarly && entry.pidDomain === null) return { state: "waiting", doing: null, sinceMs };
      const doing = ofCall("permission", asking, sinceMs);
      // 2.1.330: the call is in the agent's log.
      const isAgents = asking === null && !isEarly && facts.background.length > 0;
      return { state: "waiting", doing: isAgents ? { ...doing, subject: "for an agent" } : doing, sinceMs };
    }
    case undefined: {
      const call = question ?? asking;
      const kind = question ? "question" : "permission";
      return { state: "waiting", doing: call && ofCall(kind, call, sinceMs), sinceMs };
    }
  }
}

/**
 * When the one open call began that was asked about, `null` where that is not so. 2.1.170 says for 100 ms and more that it
 * waits, though its user has answered and the command runs.
 */
function answeredAtMs(
  { facts, running, agentsAtMs, nowMs }: Sources,
  { statusSinceMs }: RegistryEntry,
): number | null {
  const [call, other] = facts.pending;
  const shell = call && running.get(call.id);
  if (!shell || other || facts.background.length > 0) return null;
  // An agent may ask meanwhile.
  if ((agentsAtMs ?? 0) > (facts.lastNodeAtMs ?? 0)) return null;
  const isNews =
    (shell.afterMs ?? 0) > (statusSinceMs ?? Infinity) && Math.abs(nowMs - shell.seenAtMs) < SHELL_NEWS_MS;
  return isNews ? shell.seenAtMs : null;
}
