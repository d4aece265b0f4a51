import { formatPlural } from "@/lib/format/format";
import { modelWindow } from "@/lib/log/request/model-window";
import { describeCall } from "@/lib/log/rows/calls/describe-call";
import { toolNamed } from "@/lib/tools/tools";
import { formatRecordId, MAIN_LOG_KEY, type SessionId } from "@/lib/wire/ids";
import type { Doing, LiveState } from "@/lib/wire/live";
import type { AskingAgent } from "./told/agent-calls";
import { askedCall, hasRested, isAtWork, isOut, LINE_LAG_MS, type SeenClient } from "./told/asked-calls";
import { type CalledShells, calledShells } from "./told/called-shells";
import { type ClientShell, SHELL_NEWS_MS } from "./told/client-shells";
import type { TypedPrompt } from "./told/prompt-history";
import type { RegistryEntry } from "./told/registry";
import { isMidway, type PendingCall, sinceStart, type TailFacts } from "./told/tail-facts";

/** A model that thinks longer than this without a line has most likely stopped. */
const THINKING_MS = 5 * 60_000;
/** Clients give a command ten minutes at most. A person who is asked may take as long. */
const TOOL_MS = 15 * 60_000;
/** Up to 2.1.42 a text does not show whether a call follows it in the same message. */
const MAY_GO_ON_MS = 8_000;
/** A session that was not written for this long, and that no registry names, is over. */
const IDLE_MS = 10 * 60_000;
/** An agent that has written nothing for this long is ignored, unless its end is still to be reported: then it may be thinking. */
const AGENTS_MS = 20_000;
/** 2.0.42 writes what was typed to its history this long after the turn was over that it began. */
const HISTORY_LAG_MS = 5_000;
/** Lines may still be written this long after the client ended. */
const LAST_LINES_MS = 5_000;

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

type StateSources = {
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
type Sources = StateSources & Omit<CalledShells, "facts">;

/** The live state of a session. The registry takes precedence over its records, as far as it can be trusted. */
export function liveState(sources: StateSources): LiveState {
  const { sessionId, facts, entry, lives, client, shells, nowMs } = sources;
  const trusted = isTrusted(sources);
  const over = lives === false || client?.lives === false || hasEnded(sources);
  const isNow = (trusted || client !== null) && !over;
  const now = {
    ...sources,
    ...calledShells(
      isNow ? sinceStart(facts, entry?.startedAtMs ?? null) : facts,
      isNow ? shells : [],
      nowMs,
    ),
  };
  const registered = isNow ? fromRegistry(now) : null;
  const fields = registered ?? (over ? afterEnd(facts) : fromRecords(now));
  const { state, doing, sinceMs } = fields;
  const gone = state === "interrupted" && facts.last !== "interruption";
  return {
    sessionId,
    state,
    // An unknown state has no known beginning.
    sinceMs: sinceMs ?? (state === "unknown" ? null : facts.lastAtMs),
    // What it was doing when its log was last written.
    doing: gone ? doingOf(facts) : doing,
    pid: trusted ? (entry?.pid ?? null) : client?.lives ? client.pid : null,
    gone,
    checked: lives !== null || client !== null || over,
    lastLineAtMs: Math.max(facts.lastAtMs ?? 0, sources.agentsAtMs ?? 0) || null,
    lastText: facts.lastText,
    contextTokens: facts.contextTokens,
    contextLimit: facts.contextTokens === null ? null : limitOf(facts),
  };
}

type StateFields = Pick<LiveState, "state" | "doing" | "sinceMs">;

/** Its entry was removed, and the session was not continued since, for example by a version that registers nothing. */
function hasEnded({ endedAtMs, entry, facts }: StateSources): boolean {
  return endedAtMs !== null && entry === null && (facts.lastAtMs ?? 0) < endedAtMs + LAST_LINES_MS;
}

/**
 * A registry entry whose process is running is correct. Where that is unknown (the pid belongs to another container,
 * machine or system, or the folder is a copy), it is trusted after the last sign of life for as long as a model may
 * think, and while a call runs or a person is asked for as long as a call may take.
 */
function isTrusted({ entry, lives, facts, agentsAtMs, nowMs }: StateSources): boolean {
  if (!entry || lives !== null) return lives === true;
  const signMs = Math.max(
    facts.lastAtMs ?? 0,
    agentsAtMs ?? 0,
    entry.statusSinceMs ?? 0,
    entry.startedAtMs ?? 0,
  );
  const holdsMs = facts.pending.length > 0 || entry.status === "waiting" ? TOOL_MS : THINKING_MS;
  // A time in the future, from a clock that is wrong, is no sign of life either.
  return Math.abs(nowMs - signMs) < holdsMs;
}

function fromRegistry(sources: Sources): StateFields | null {
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

/**
 * Between a turn and the next, which what was queued begins, 2.1.332 is `idle` for 70 ms: for a moment that is no end.
 * `null` where nothing is queued, or the client has left it there.
 */
function ofQueued({ entry, facts, nowMs }: StateSources): StateFields | null {
  const overMs = facts.queued > 0 ? Math.max(entry?.statusSinceMs ?? 0, facts.lastAtMs ?? 0) : 0;
  const sinceMs = Math.max(facts.takenAtMs ?? 0, overMs);
  if (Math.abs(nowMs - sinceMs) >= LINE_LAG_MS) return null;
  return { state: "running", doing: ofCall("thinking", null, sinceMs), sinceMs };
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
      const busy = isMidway(facts) ? doingOf(facts) : ofAgents(sources);
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

function fromRecords(sources: Sources): StateFields {
  const { facts, entry, lives, client, nowMs, agentsAtMs } = sources;
  const ageMs = Math.abs(nowMs - Math.max(facts.lastAtMs ?? 0, agentsAtMs ?? 0));
  // 2.1.110 registers its process without a status: then age proves nothing.
  const known = (entry !== null && lives === true) || client?.lives === true;
  const rest: StateFields = {
    state: known || ageMs < IDLE_MS ? "idle" : "ended",
    doing: null,
    sinceMs: facts.lastAtMs,
  };
  if (facts.last === "none")
    return known ? { ...rest, state: "idle" } : { state: "unknown", doing: null, sinceMs: null };
  const typed = ofTyped(sources);
  if (typed) return { state: "running", doing: typed, sinceMs: typed.sinceMs };
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

/**
 * What follows from what was typed last, `null` where that is in the log or has come to nothing. A log of a turn that goes
 * on tells more than what was typed meanwhile. Up to 2.0.76 a compaction, done or cancelled, is in the log only when it is
 * over, and so is a command for the shell in all versions.
 */
function ofTyped(sources: Sources): Doing | null {
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

/** Whether what was typed is in the log already, and was answered: the same may be typed again, but hardly so soon. */
function isLateHistory({ typed, facts, entry }: StateSources): boolean {
  if (!typed || entry !== null) return false;
  return typed.words === facts.lastTyped && typed.atMs - (facts.lastNodeAtMs ?? 0) < HISTORY_LAG_MS;
}

/** A command that has begun before its call is in the log, `null` where it may be an agent's. */
function ofBegun({ begun, facts, agentsAtMs }: Sources): Doing | null {
  if (!begun || facts.pending.length > 0 || facts.background.length > 0) return null;
  if ((agentsAtMs ?? 0) > (facts.lastNodeAtMs ?? 0)) return null;
  const call = { name: "Bash", input: { command: begun.command }, cwd: null };
  const { subject } = describeCall({ ...call, isError: false, text: null, isCut: false, result: null });
  return { ...ofCall("tool", null, begun.seenAtMs), name: call.name, subject };
}

/** The process is gone, or nothing was written for too long: in the middle of a turn or at its end. */
function afterEnd(facts: TailFacts): StateFields {
  const midway = isMidway(facts) || facts.last === "interruption";
  return { state: midway ? "interrupted" : "ended", doing: null, sinceMs: facts.lastAtMs };
}

/** The open question, if only questions are open. */
function openQuestion({ pending }: TailFacts): PendingCall | null {
  return pending.every(({ name }) => asksUser(name)) ? (pending[0] ?? null) : null;
}

function asksUser(name: string): boolean {
  return toolNamed(name)?.asks === "question";
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

/** Agents running in the background while the model waits for them, `null` without any. */
function ofAgents({ facts, entry, lives, agentsAtMs, nowMs }: StateSources): Doing | null {
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

function doingOf(facts: TailFacts): Doing {
  const call = facts.pending.at(-1);
  return call ? ofCall("tool", call, call.atMs) : thinking(facts);
}

function thinking(facts: TailFacts): Doing {
  return ofCall("thinking", null, facts.lastMessageAtMs);
}

function ofCall(kind: Doing["kind"], call: PendingCall | null, sinceMs: number | null): Doing {
  return {
    kind,
    name: call?.name ?? null,
    subject: call?.subject ?? null,
    recordId: call ? formatRecordId(MAIN_LOG_KEY, call.offset) : null,
    sinceMs,
    partial: call?.partial ?? null,
  };
}

/** A client's first lines may name no model: then the usual one is taken. */
function limitOf({ contextTokens, model }: TailFacts): number | null {
  return modelWindow(model ?? "claude", contextTokens ?? 0);
}
