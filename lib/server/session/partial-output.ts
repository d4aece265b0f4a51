import { membersOf } from "@/lib/log/graph/steps";
import { asString } from "@/lib/log/records/json";
import { at } from "@/lib/log/table/table";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

/** A command writes one such line a second; the last ones hold all that the earlier ones do. */
const LOOK_BACK = 24;

/**
 * What a command had written when it was last heard of: the newest `bash_progress` line of the call
 * (2.1.29, 2.1.42), `null` where the log has none. It is all there is of a call that never ended.
 */
export async function partialOutput(
  session: OpenSession,
  record: number,
  toolUseId: string | null,
): Promise<string | null> {
  const { steps } = session.graph;
  const { records, types } = session.table;
  if (toolUseId === null) return null;
  const step = at(steps.of, record);
  const progress: number[] = [];
  for (const member of [...membersOf(steps, step)].reverse()) {
    if (progress.length === LOOK_BACK) break;
    if (types.at(records.get("type", member)) === "progress/bash_progress") progress.push(member);
  }
  const read = await readRecords(session, progress);
  for (const member of progress) {
    const line = read(member);
    if (line?.kind !== "progress" || line.parentToolUseId !== toolUseId) continue;
    const output = asString(line.data.fullOutput) ?? asString(line.data.output);
    if (output) return output;
  }
  return null;
}
