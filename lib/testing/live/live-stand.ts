import { toRecord } from "@/lib/log/records/parse-record";
import { liveState } from "@/lib/server/live/live-state";
import type { SeenClient } from "@/lib/server/live/told/asked-calls";
import type { ClientShell } from "@/lib/server/live/told/client-shells";
import { parseEntry, type RegistryEntry } from "@/lib/server/live/told/registry";
import { FactsOfTail } from "@/lib/server/live/told/tail-facts";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveState } from "@/lib/wire/live";

/** When the states are asked for, epoch milliseconds. */
export const LOOKED_AT_MS = Date.parse("2026-03-04T12:00:00Z");
/** The time so many seconds before that, as a line has it. */
export const secondsBefore = (secondsAgo: number) => new Date(LOOKED_AT_MS - secondsAgo * 1000).toISOString();

/** A line of the person's, or with results. */
export function userLine(secondsAgo: number, content: unknown) {
  return {
    type: "user",
    timestamp: secondsBefore(secondsAgo),
    uuid: `u${secondsAgo}`,
    message: { role: "user", content },
  };
}

/** A line of an answer. */
export function answerLine(secondsAgo: number, content: unknown[], stop_reason: string | null = null) {
  const usage = { input_tokens: 10, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 2_000 };
  const message = { id: "msg_1", role: "assistant", model: "claude-opus-4-5", content, stop_reason, usage };
  return { type: "assistant", timestamp: secondsBefore(secondsAgo), uuid: `a${secondsAgo}`, message };
}

/** A text of an answer. */
export const answerText = (words: string) => ({ type: "text", text: words });
/** A call of a command. */
export const BASH_CALL = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "npm test" } };
/** Its result. */
export const BASH_RESULT = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };

/** How a session stands, in words: its state, what it does, and how certain that is. */
export function standOf(...of: Parameters<typeof liveStateOf>): string {
  const state = liveStateOf(...of);
  const doing =
    state.doing && [state.doing.kind, state.doing.name, state.doing.subject].filter(Boolean).join(" ");
  const mayAsk = state.doing?.mayAsk ? "or asks" : "";
  return [state.state, doing, mayAsk, state.gone ? "gone" : ""].filter(Boolean).join(", ");
}

/** For how many seconds it has done what it does. */
export function doesSince(...of: Parameters<typeof liveStateOf>): string {
  const { doing } = liveStateOf(...of);
  return `${doing?.kind} for ${doing?.sinceMs ? (LOOKED_AT_MS - doing.sinceMs) / 1000 : "?"} s`;
}

/** What the lines of a log, and what is known beside them, tell of a session. */
export function liveStateOf(
  lines: object[],
  {
    entry = null,
    lives = null,
    agentsAgo,
    endedAgo,
    askingAgo,
    soonOver = false,
    typedAgo,
    compacts = false,
    shell = null,
    words = "",
    shells = [],
    client = null,
  }: {
    entry?: RegistryEntry | null;
    lives?: boolean | null;
    agentsAgo?: number;
    endedAgo?: number;
    /** When an agent, `a1`, wrote last that has an open call of a kind that is asked about. */
    askingAgo?: number;
    /** That call would be seen to run, or be over. */
    soonOver?: boolean;
    /** When its person typed a prompt, `/compact`, or a command for the shell. */
    typedAgo?: number;
    compacts?: boolean;
    shell?: string | null;
    words?: string;
    /** The commands that its client runs, or ran until a moment ago. */
    shells?: ClientShell[];
    /** Its client, where that registers nothing. */
    client?: SeenClient | null;
  } = {},
): LiveState {
  const facts = new FactsOfTail().with(
    lines.map((line, n) => toRecord(line as never, { offset: n, length: 1, line: n + 1 })),
  );
  const agentsAtMs = agentsAgo === undefined ? null : LOOKED_AT_MS - agentsAgo * 1000;
  const endedAtMs = endedAgo === undefined ? null : LOOKED_AT_MS - endedAgo * 1000;
  const askingAgents =
    askingAgo === undefined ? [] : [{ agentId: "a1", atMs: LOOKED_AT_MS - askingAgo * 1000, soonOver }];
  const typed =
    typedAgo === undefined ? null : { atMs: LOOKED_AT_MS - typedAgo * 1000, compacts, shell, words };
  const sources = {
    facts,
    entry,
    lives,
    endedAtMs,
    agentsAtMs,
    askingAgents,
    typed,
    shells,
    client,
    nowMs: LOOKED_AT_MS,
  };
  return liveState({ sessionId: "s" as SessionId, ...sources });
}

/** A client's entry in its registry. */
export function registryEntry(more: object): RegistryEntry {
  return parseEntry({
    pid: 12,
    sessionId: "s",
    startedAt: LOOKED_AT_MS - 7_200_000,
    ...more,
  }) as RegistryEntry;
}
