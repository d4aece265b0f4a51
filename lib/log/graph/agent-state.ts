import { CallState } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import type { Thread } from "./threads";

const NONE = -1;

/** How an agent ended, according to the log. Whether an unknown one is still running shows only in its file's growth. */
export type EndState = "done" | "failed" | "interrupted" | "unknown";

/**
 * Taken from the notification that reported its end, unless it was resumed since, else from the result of the last call
 * that addressed it.
 */
export function agentStateOf(table: SessionTable, thread: Thread): EndState {
  const { end } = thread;
  const call = thread.resumes.at(-1) ?? thread.call;
  if (end && !(call !== NONE && isBehind(table, call, end.record))) return endState(end.state);
  if (call === NONE) return "unknown";
  // A background agent's call returns at once; its result is no statement about the agent's end.
  if (isLaunch(table, call)) return "unknown";
  return endState(table.calls.state.at(call));
}

/**
 * Whether a call follows a record of the same log, as that of an agent that has ended in the background may (2.0.76).
 */
function isBehind({ blocks, calls, records }: SessionTable, call: number, record: number): boolean {
  const use = calls.use.at(call);
  const at = use === NONE ? NONE : blocks.record.at(use);
  return at > record && records.file.at(at) === records.file.at(record);
}

function endState(state: number): EndState {
  if (state === CallState.ok) return "done";
  if (state === CallState.interrupted || state === CallState.stopped) return "interrupted";
  return state === CallState.none ? "unknown" : "failed";
}

/**
 * True for a call whose result only reports that an agent was started in the background. A line may have the results of
 * several calls (2.1.330), and other tools may print what a launch says.
 */
export function isLaunch({ calls, tools }: SessionTable, call: number): boolean {
  if (calls.result.at(call) === NONE || calls.launched.at(call) === 0) return false;
  const tool = calls.use.at(call) === NONE ? null : toolNamed(tools.at(calls.tool.at(call)));
  return (tool?.family ?? "agents") === "agents";
}
