import { modelWindow } from "@/lib/log/request/model-window";
import type { LiveState } from "@/lib/wire/live";
import { doingOf, type StateSources, THINKING_MS, TOOL_MS } from "./doing";
import { afterEnd, loggedState } from "./logged-state";
import { registeredState } from "./registered-state";
import { calledShells } from "./told/called-shells";
import { sinceStart, type TailFacts } from "./told/tail-facts";

/** Lines may still be written this long after the client ended. */
const LAST_LINES_MS = 5_000;

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
  const registered = isNow ? registeredState(now) : null;
  const fields = registered ?? (over ? afterEnd(facts) : loggedState(now));
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

/** A client's first lines may name no model: then the usual one is taken. */
function limitOf({ contextTokens, model }: TailFacts): number | null {
  return modelWindow(model ?? "claude", contextTokens ?? 0);
}
