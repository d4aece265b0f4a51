import { CallState, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { toolNamed } from "@/lib/tools/tools";
import type { OpenEnd } from "@/lib/wire/library";
import type { SessionGraph } from "./session-graph";

const NONE = -1;

/** What may stand behind the last words of a session and answers nothing: commands, notes, errors of the API. */
const PASSED: ReadonlySet<number> = new Set([
  RecordKind.results,
  RecordKind.meta,
  RecordKind.metadata,
  RecordKind.command,
  RecordKind.commandOutput,
  RecordKind.synthetic,
  RecordKind.system,
  RecordKind.progress,
  RecordKind.attachment,
]);

/**
 * What nobody answered at the end of the active branch: a question or a plan without a result, or a prompt after which
 * the model wrote nothing. Null for a session that ended otherwise, also where its person interrupted it. Whether a call
 * waited for permission is in no log: one without a result may as well have been running.
 */
export function openEndOf(table: SessionTable, graph: SessionGraph): OpenEnd | null {
  const [active] = graph.branches[0] ?? [];
  if (!active) return null;
  let record = active.leafRecord;
  // Parents may form a circle.
  for (let left = graph.parents.length; record !== NONE && left > 0; left--) {
    const kind = table.records.kind.at(record);
    if (kind === RecordKind.prompt || graph.queuedTurns.has(record)) return "prompt";
    if (kind === RecordKind.assistant) return openQuestion(table, table.records.message.at(record));
    if (!PASSED.has(kind)) return null;
    record = at(graph.parents, record);
  }
  return null;
}

/** What a message asks its person that has no result. */
function openQuestion({ calls, blocks, records, tools }: SessionTable, message: number): OpenEnd | null {
  if (message === NONE) return null;
  for (let call = calls.size - 1; call >= 0; call--) {
    const use = calls.use.at(call);
    if (use === NONE || records.message.at(blocks.record.at(use)) !== message) continue;
    const tool = toolNamed(tools.at(calls.tool.at(call)));
    if (tool?.asks !== "question" || calls.state.at(call) !== CallState.none) continue;
    return tool.name === "ExitPlanMode" ? "plan" : "question";
  }
  return null;
}
