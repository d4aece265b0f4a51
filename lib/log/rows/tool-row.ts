import { isLaunch } from "@/lib/log/graph/agent-state";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { hasLineCounts } from "@/lib/log/table/calls";
import { CallState } from "@/lib/log/table/kinds";
import { splitToolName, toolNamed } from "@/lib/tools/tools";
import { formatRowKey } from "@/lib/wire/ids";
import type { CallStateName, RowAgent, RowBase, ToolRow } from "@/lib/wire/rows";
import { blobRefs } from "./blob-refs";
import { calledAgents, trueTime } from "./called-agent";
import { describeCall } from "./calls/describe-call";
import { type RowContext, recordIdOf, rowBase, turnAt } from "./row-context";

const NONE = -1;

const STATES: ReadonlyMap<number, CallStateName> = new Map<number, CallStateName>([
  [CallState.none, "no-result"],
  [CallState.ok, "ok"],
  [CallState.error, "error"],
  [CallState.denied, "denied"],
  [CallState.refused, "denied"],
  [CallState.interrupted, "interrupted"],
  [CallState.stopped, "interrupted"],
  [CallState.timedOut, "timed-out"],
]);

/** How a call ended, as a row says it. */
export function callStateOf({ calls }: RowContext["table"], call: number): CallStateName {
  return STATES.get(calls.state.at(call)) ?? "no-result";
}

/** The record of a call's first result, -1 without one. */
export function resultRecord({ table }: Pick<RowContext, "table">, call: number): number {
  const result = call === NONE ? NONE : table.calls.result.at(call);
  return result === NONE ? NONE : table.blocks.record.at(result);
}

/** The row of a call with its first result, its agents and its images. */
export function toolRow(context: RowContext, block: number, turn: number): ToolRow {
  const { table } = context;
  const record = table.blocks.record.at(block);
  const blockIndex = table.blocks.index.at(block);
  const call = table.blocks.call.at(block);
  const answer = resultRecord(context, call);
  const use = callBlock(context.read(record), blockIndex);
  const result = answer === NONE ? null : resultOf(context, call);
  const [server, name] = splitToolName(use?.name ?? "unknown tool");
  const state = callStateOf(table, call);
  const line = describeCall({
    name: use?.name ?? "",
    input: use?.input ?? {},
    cwd: cwdOf(context.read(record)),
    isError: state === "error" || state === "denied" || state === "timed-out",
    text: result ? textOfResult(result.block) : null,
    isCut: result?.record.elided ?? false,
    cutSize: result?.record.longest ?? null,
    result: result ? asObject(result.record.toolUseResult) : null,
    task: taskSubject(context, call, asString(use?.input.taskId)),
  });
  const isCounted = hasLineCounts(table, call);
  const agents = calledAgents(context, call);
  return {
    kind: "tool",
    ...withTrueTime(
      context,
      rowBase(context, record, blockIndex, turn, answer === NONE ? record : answer),
      call,
      agents,
    ),
    toolUseId: use?.id ?? null,
    messageId: messageOf(context.read(record)),
    name,
    server,
    subject: line.subject,
    aside: line.aside ?? null,
    state,
    result: formatState(state, line.result ?? null),
    added: isCounted ? table.calls.added.at(call) : null,
    removed: isCounted ? table.calls.removed.at(call) : null,
    agent: agents[0] ?? null,
    ...(agents.length > 1 ? { agents } : {}),
    cleared: table.calls.cleared.at(call) === 1,
    blobs: result ? blobRefs(result.record, recordIdOf(context, answer), result.blockIndex) : [],
    ...(result ? { shows: [formatRowKey(recordIdOf(context, answer), result.blockIndex)] } : {}),
  };
}

/** The time of the work that a call started, where that continued after its result; never that of a launch. */
function withTrueTime(
  context: RowContext,
  base: RowBase,
  call: number,
  agents: readonly RowAgent[],
): RowBase {
  if (call === NONE) return base;
  const time = trueTime(context, call, agents);
  if (!time) return isLaunch(context.table, call) ? { ...base, durationMs: null } : base;
  const { startMs } = turnAt(context.path, base.turn);
  const span = base.span && { ...base.span, toMs: Math.max(base.span.toMs, time.endMs - startMs) };
  return { ...base, span, durationMs: time.durationMs };
}

function formatState(state: CallStateName, result: string | null): string | null {
  switch (state) {
    case "denied":
      return "denied";
    case "interrupted":
      return "stopped";
    case "timed-out":
      return "timed out";
    case "no-result":
      return "no result in the log";
    default:
      return result;
  }
}

/** The call at this position of a line, `null` if there is none. */
export function callBlock(
  record: SessionRecord | null,
  blockIndex: number,
): Extract<ContentBlock, { kind: "tool-use" }> | null {
  const block = record?.kind === "assistant" ? record.blocks[blockIndex] : undefined;
  return block?.kind === "tool-use" ? block : null;
}

function messageOf(record: SessionRecord | null): string | undefined {
  return (record?.kind === "assistant" && record.messageId) || undefined;
}

/** The working directory that a line names. */
export function cwdOf(record: SessionRecord | null): string | null {
  return record && record.kind !== "unreadable" ? asString(record.json.cwd) : null;
}

type ResultAt = {
  record: Extract<SessionRecord, { kind: "user" | "assistant" }>;
  block: Extract<ContentBlock, { kind: "tool-result" }>;
  blockIndex: number;
};

/** The first result of a call with its record, `null` without one. */
export function resultOf(
  context: RowContext,
  call: number,
): (ResultAt & { record: { toolUseResult?: unknown } }) | null {
  const { table } = context;
  const block = table.calls.result.at(call);
  const record = context.read(table.blocks.record.at(block));
  if (record?.kind !== "user" && record?.kind !== "assistant") return null;
  const blockIndex = table.blocks.index.at(block);
  const found = record.blocks[blockIndex];
  return found?.kind === "tool-result" ? { record, block: found, blockIndex } : null;
}

/** The text blocks of a result, joined. */
export function textOfResult(block: Extract<ContentBlock, { kind: "tool-result" }>): string {
  return block.content
    .map((inner) => (inner.kind === "text" ? inner.text : ""))
    .filter(Boolean)
    .join("\n");
}

/** Maximum number of tasks added in between for the subject of a task to be looked up. */
const MAX_TASKS = 64;

/** The records in which a task that a call names may have been added: those before the call (2.1.29 and later). */
export function taskRecords(context: RowContext, call: number): number[] {
  return addedBefore(context, call).flatMap((added) => [
    recordOfUse(context, added),
    resultRecord(context, added),
  ]);
}

/** The subject of the task with this id, from the call that added it; `null` if that is not in the log. */
export function taskSubject(context: RowContext, call: number, id: string | null): string | null {
  if (id === null) return null;
  for (const added of addedBefore(context, call)) {
    const result = resultRecord(context, added) === NONE ? null : resultOf(context, added);
    if (!result) continue;
    const resultId = asString(asObject(asObject(result.record.toolUseResult)?.task)?.id);
    // In an agent's log results have only the text.
    if ((resultId ?? /^Task #(\S+) created/.exec(textOfResult(result.block))?.[1]) !== id) continue;
    const { blocks, calls } = context.table;
    const use = callBlock(context.read(recordOfUse(context, added)), blocks.index.at(calls.use.at(added)));
    return asString(use?.input.subject);
  }
  return null;
}

/** The calls that added tasks before this one, the newest first; none for a call that names no task by its id. */
function addedBefore({ table }: RowContext, call: number): number[] {
  const { calls, tools } = table;
  if (call === NONE || toolNamed(tools.at(calls.tool.at(call)))?.task !== "names") return [];
  const found: number[] = [];
  for (let before = call - 1; before >= 0 && found.length < MAX_TASKS; before--)
    if (toolNamed(tools.at(calls.tool.at(before)))?.task === "adds" && calls.use.at(before) !== NONE)
      found.push(before);
  return found;
}

function recordOfUse({ table }: RowContext, call: number): number {
  return table.blocks.record.at(table.calls.use.at(call));
}
