import { CallState } from "./kinds";
import type { SessionTable } from "./session-table";

const NONE = -1;

/** A call of which nothing is known yet. */
const BLANK = {
  tool: 0,
  use: NONE,
  result: NONE,
  results: 0,
  state: CallState.none,
  added: 0,
  removed: 0,
  path: NONE,
  agent: NONE,
  prompt: NONE,
  agentType: NONE,
  cleared: 0,
};

/** The call with this tool-use id, made now if neither its use nor a result has been seen. One without an id is always new. */
export function callOf(table: SessionTable, toolUseId: string | null): number {
  if (toolUseId === null) return table.calls.push(BLANK);
  const id = table.toolIds.intern(toolUseId);
  const known = table.callOfId[id];
  if (known !== undefined) return known;
  const call = table.calls.push(BLANK);
  table.callOfId[id] = call;
  return call;
}
