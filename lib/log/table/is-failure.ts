import { CallState } from "./kinds";

/** A call whose result is marked as an error: refusals, interruptions and time-outs are. */
export function isFailure(state: number): boolean {
  return state !== CallState.none && state !== CallState.ok && state !== CallState.stopped;
}
