import { readNotification } from "@/lib/log/adding/notification";
import { roundsOfCall, threadTotals, timeOfCall, workedMs } from "@/lib/log/graph/thread-totals";
import type { Thread } from "@/lib/log/graph/threads";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentReturnRow, CutText } from "@/lib/wire/rows";
import { agentsOfCalls } from "./called-agent";
import { cutText, longestOf, type RowContext, rowBase, timeOf } from "./row-context";
import { resultOf, textOfResult } from "./tool-row";
import { promptOf } from "./turn-row";

const NONE = -1;
const MAX_TEXT = 600;

/** The row of an agent's answer that returns as the result of the call of block `block`; `null` if none does. */
export function agentReturnRow(context: RowContext, block: number, turn: number): AgentReturnRow | null {
  const { table, graph } = context;
  const call = table.blocks.call.at(block);
  const thread = graph.threads[agentsOfCalls(graph).get(call)?.[0] ?? NONE];
  const result = resultOf(context, call);
  if (!thread?.agentId) return null;
  const structured =
    result && "toolUseResult" in result.record ? asObject(result.record.toolUseResult) : null;
  const text = ownText(structured?.content) || handedBack(result ? textOfResult(result.block) : "");
  const cut = cutText(text, MAX_TEXT, longestOf(result?.record ?? null));
  const place = { record: table.blocks.record.at(block), block: table.blocks.index.at(block), turn };
  return returnRow(context, { thread, call, ...place }, cut);
}

/** The row of a background agent's answer that returns in a notification; `null` if none belongs to this record. */
export function notifiedReturnRow(context: RowContext, record: number, turn: number): AgentReturnRow | null {
  const { graph, table } = context;
  const thread = graph.threads[graph.notified.get(record) ?? NONE];
  if (!thread) return null;
  const endMs = timeOf(table, record) ?? Number.POSITIVE_INFINITY;
  const call = thread.resumes.findLast((resume) => timeOfCall(table, resume) <= endMs) ?? thread.call;
  const text = promptOf(context.read(record));
  const { summary, status, answer } = readNotification(text);
  const told = answer === "" ? [status] : [summary, status];
  const notice = told.filter(Boolean).join(", ");
  const cut = cutText(answer || (summary ?? ""), MAX_TEXT);
  return {
    ...returnRow(context, { thread, call, record, block: 0, turn }, cut),
    notified: true,
    ...(notice !== "" && { notice }),
  };
}

/** Where an agent's answer to a call returns. `block`: its index in the record. */
type AgentReturn = { thread: Thread; call: number; record: number; block: number; turn: number };

function returnRow(context: RowContext, returned: AgentReturn, text: CutText): AgentReturnRow {
  const { thread, record, block, turn } = returned;
  return {
    kind: "agent-return",
    ...rowBase(context, record, block, turn),
    durationMs: returnedMs(context, returned),
    // Only an agent's thread returns something.
    agentId: thread.agentId as AgentId,
    lane: thread.lane,
    text,
    notified: false,
  };
}

/** How long an agent worked for the answer that returns here; without times of its own, how long its call took. */
function returnedMs({ table, graph }: RowContext, { thread, call, record }: AgentReturn): number | null {
  const endMs = timeOf(table, record);
  const { rounds } = threadTotals(table, graph, graph.threads.indexOf(thread));
  const ofCall = roundsOfCall(table, thread, rounds, call);
  const round = ofCall.findLast(({ startMs }) => endMs === null || startMs <= endMs);
  if (round) return workedMs([round]);
  const startMs = timeOfCall(table, call);
  return endMs === null || Number.isNaN(startMs) ? null : Math.max(0, endMs - startMs);
}

/** 2.1.330 adds a frame to the answer of an agent's agent, which has no structured result. */
function handedBack(text: string): string {
  const report =
    /^\s*(?:<tools-used-before-summary>[^]*)?\[Subagent hand-back\] [^\n]*The report follows:\n([^]*?)(?:\nagentId: [^]*)?$/.exec(
      text,
    )?.[1];
  return report === undefined ? text : report.replace(/^ {2}/gm, "");
}

/** The agent's own text: in the result for the model the client adds notes around it (2.0.76 and later). */
function ownText(content: unknown): string {
  return asArray(content)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .filter((text) => text !== "" && !text.startsWith("<tools-used-before-summary>"))
    .join("\n");
}
