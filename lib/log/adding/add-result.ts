import type { ContentBlock } from "@/lib/log/records/content-block";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { BlockKind, CallState, Level } from "@/lib/log/table/kinds";
import { PermissionAsked } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";
import { countPatch, pathOf } from "./patch-count";
import { noteTook, pushBlock } from "./push-record";
import { mayBeCut } from "./text-prefix";

const NONE = -1;
/** An interruption directly follows the results of the calls that it stopped: more calls than this are not searched. */
const MAX_CALLS_BACK = 1_000;

/** Adds a result block and joins it to its call. The first result of a call determines how it ended. */
export function addResult(
  table: SessionTable,
  record: number,
  blockIndex: number,
  block: Extract<ContentBlock, { kind: "tool-result" }>,
  user: UserRecord | null,
): void {
  const call = callOfResult(table, block.toolUseId, table.records.file.at(record));
  const added = pushBlock(table, record, BlockKind.result, Level.merged, blockIndex, call);
  const first = table.calls.result.at(call);
  table.calls.results.put(call, table.calls.results.at(call) + 1);
  if (first !== NONE) {
    table.furtherResults.add(call, first, added);
    return;
  }
  table.calls.result.put(call, added);
  const text = block.content.find((inner) => inner.kind === "text");
  const denial = denialOf(user);
  const state = besideHook(table.calls.state.at(call), stateOfResult(block, user));
  // Its line is stamped as its person goes on with the session, hours or days later.
  if (state === CallState.interrupted && text?.text.startsWith(SESSION_ENDED))
    table.records.atMs.put(record, Number.NaN);
  table.calls.state.put(call, state);
  table.calls.asked.put(call, askedOf(asObject(user?.json.permissionDecision), denial));
  noteChange(table, call);
  // From 2.1.29 on an agent's own results have no structured part, so the text tells that an agent was only started.
  if (!block.isError && LAUNCHES.some((start) => text?.text.startsWith(start)))
    table.calls.launched.put(call, 1);
}

/**
 * A call that was to change a file and ended well did so, whether its result says which lines or not: NotebookEdit
 * has no patch in any version, agents' lines have none from 2.1.29 on, nor have lines that 1.0.60 copied when it
 * resumed a session.
 */
export function noteChange({ calls }: SessionTable, call: number): void {
  if (calls.state.at(call) === CallState.ok && calls.path.at(call) === NONE)
    calls.path.put(call, calls.target.at(call));
}

/** Notes that a hook kept a call from running, before its result is there or after that. */
export function noteBlockedByHook({ calls }: SessionTable, call: number): void {
  const state = calls.state.at(call);
  if (calls.result.at(call) === NONE || state === CallState.error) calls.state.put(call, CallState.denied);
}

/** How a call ended whose result alone says `state`: where a hook kept it from running its result is that hook's words. */
function besideHook(before: number, state: number): number {
  return before === CallState.denied && state === CallState.error ? CallState.denied : state;
}

/** Whether a person was asked about a call, by its result (2.1.330): a mode, a rule or a hook decides without asking. */
function askedOf(decision: ReturnType<typeof asObject>, denial: Denial): number {
  if (denial.beforeRun && (denial.kind ?? PERSON) === PERSON) return PermissionAsked.refused;
  const source = asString(decision?.source);
  if (source === null) return PermissionAsked.unknown;
  return source.startsWith("user") ? PermissionAsked.person : PermissionAsked.nobody;
}

/** Beginnings of results that report that an agent or a workflow works in the background (2.0.76 and later). */
const LAUNCHES = ["Async agent launched successfully.", "Workflow launched in background."];

/**
 * The calls that an interruption stopped: it names the message whose calls were running (2.1.170 and later), but does
 * not where a dialog was refused. Their results have the same wording as refusals.
 */
export function stoppedCalls(table: SessionTable, record: SessionRecord): number[] {
  if (record.kind !== "user" || typeof record.json.interruptedMessageId !== "string") return [];
  const message = table.messageIds.find(record.json.interruptedMessageId);
  const found: number[] = [];
  if (message === NONE) return found;
  const { calls, blocks, records } = table;
  for (let call = calls.size - 1; call >= Math.max(0, calls.size - MAX_CALLS_BACK); call--) {
    const use = calls.use.at(call);
    if (use === NONE || calls.state.at(call) !== CallState.refused) continue;
    if (records.message.at(blocks.record.at(use)) === message) found.push(call);
  }
  return found;
}

/**
 * Notes what `toolUseResult` adds to the result block. A line has only one, so it belongs to the
 * line's first call. `whole` parses the line without cutting strings.
 */
export function noteStructuredResult(
  table: SessionTable,
  index: number,
  record: UserRecord,
  whole: () => SessionRecord,
): void {
  let structured = asObject(record.toolUseResult);
  if (!structured) return;
  const call = table.blocks.call.at(table.records.firstBlock.at(index));
  if (call === NONE) return;
  // 2.1.200 and later: a SendMessage to an agent that has ended sets it going again.
  const resumed = asString(structured.resumedAgentId);
  // 2.1.330: the agents of a workflow are named by its run.
  const agentId = asString(structured.agentId) ?? asString(structured.runId) ?? resumed;
  if (agentId) table.startedAgents.note(call, { agent: table.agentIds.intern(agentId) });
  if (structured.isAsync === true || structured.status === "async_launched" || resumed !== null)
    table.calls.launched.put(call, 1);
  noteTask(table, index, asObject(structured.task));
  noteTook(table, index, tookOf(structured));
  if (structured.type === "create" || (record.elided && mayBeCut(pathOf(structured)))) {
    const full = whole();
    structured = (full.kind === "user" ? asObject(full.toolUseResult) : null) ?? structured;
  }
  const patch = countPatch(structured);
  if (!patch || table.calls.state.at(call) !== CallState.ok) return;
  table.calls.path.put(call, table.paths.intern(patch.path));
  table.calls.target.put(call, NONE);
  table.calls.added.put(call, patch.added);
  table.calls.removed.put(call, patch.removed);
}

/** Glob, Grep and WebFetch say how long they took, in all versions; WebSearch in seconds, an agent in the foreground for all its work. */
function tookOf({ durationMs, totalDurationMs, durationSeconds }: JsonObject): number | null {
  const seconds = asNumber(durationSeconds);
  return asNumber(durationMs) ?? asNumber(totalDurationMs) ?? (seconds === null ? null : seconds * 1000);
}

/** TaskOutput on a background agent (2.0.76–2.1.110): in 2.1.29 nothing else shows that it has ended. */
function noteTask(table: SessionTable, record: number, task: ReturnType<typeof asObject>): void {
  const agentId = asString(task?.task_id);
  const status = asString(task?.status);
  if (agentId === null || task?.task_type !== "local_agent" || status === null || status === "running")
    return;
  table.notices.push({ agentId, toolUseId: null, record, status, brings: false });
}

/** Appends a call about which nothing is known yet. */
function addCall({ calls }: SessionTable): number {
  // Like the columns of records, by name; those that are left out begin with 0.
  const call = calls.add();
  calls.use.put(call, NONE);
  calls.result.put(call, NONE);
  calls.path.put(call, NONE);
  calls.target.put(call, NONE);
  return call;
}

/**
 * The call of a use in a file, by the use's id: a new one where none is known, and where the known one has its use in
 * another file, since a copied line has a call of its own. A use without an id is always a new call.
 */
export function callOfUse(table: SessionTable, toolUseId: string | null, file: number): number {
  const { calls, blocks, records } = table;
  if (toolUseId === null) return addCall(table);
  const id = table.toolIds.intern(toolUseId);
  const known = table.callIn(file, id);
  if (known === undefined) return newCall(table, id);
  const use = calls.use.at(known);
  const usedIn = use === NONE ? file : records.file.at(blocks.record.at(use));
  if (usedIn === file) return known;
  const call = addCall(table);
  table.noteCopy(id, call, file, usedIn);
  return call;
}

/** The call of a result in a file, by the use's id: a new one where no use has been seen. One without an id is always new. */
function callOfResult(table: SessionTable, toolUseId: string | null, file: number): number {
  if (toolUseId === null) return addCall(table);
  const id = table.toolIds.intern(toolUseId);
  return table.callIn(file, id) ?? newCall(table, id);
}

function newCall(table: SessionTable, id: number): number {
  const call = addCall(table);
  table.noteCall(id, call);
  return call;
}

/** The text of a person's refusal in all versions, and from 2.1.170 on also of a call that was stopped while running. */
const REFUSAL = "The user doesn't want to proceed with this tool use";

/** What 2.1.330 and 2.1.332 write behind it of a call that was stopped, also where no interruption names its message. */
const STOPPED = "this call was stopped while running, not refused before it ran";

/**
 * Beginnings of results that mean that a person or a rule refused the call. All versions from 1.0.128; `this tool use` is
 * an agent's call that a person refused (2.1.90, 2.1.160), `this action` one that the client refused itself.
 */
const DENIALS = [
  "The user doesn't want to take this action right now",
  "Claude requested permissions to",
  "This Bash command contains multiple operations. The following parts require approval",
  "User rejected tool use",
  "Permission to use",
  "Permission to edit",
  "Permission to read",
  "Permission for this tool use was denied",
  "Permission for this action ",
  // 2.0.25
  "Hook requested permission behavior: deny",
];

/** Beginning of the result of a call whose client ended before it did, written by the next one (2.1.330). */
const SESSION_ENDED = "[Tool call interrupted: the session ended before";

/** Kinds of a denial that is none: a call was stopped with its turn, or with its client (2.1.330). */
const CUT_SHORT: ReadonlySet<string | null> = new Set(["interrupted", "cancelled"]);

/** A hook that kept a call from running: 1.0.128, and from 2.0.42 on. */
const BLOCKED_BY_HOOK = /^(?:\S+ operation blocked by hook:|PreToolUse:\S+ hook error: )/;

/** The kind that a person's refusal and a stop have in common. */
const PERSON = "user-rejected";

/** Up to 2.1.42: a path that a command may not touch, whatever a person allows. */
const BLOCKED = /^\S+ in '[^']*' was blocked\. For security, /;

/**
 * What a result's line records about a denial: `toolDenialKind` (2.1.220), `toolDenialBeforeRun` (2.1.330). `ofAgent`: an
 * agent's line of a client that says otherwise that an agent's call was refused (`promptId`, 2.1.90 and later).
 */
export type Denial = { kind: string | null; beforeRun: boolean; ofAgent: boolean };

function denialOf(user: UserRecord | null): Denial {
  return {
    kind: asString(user?.json.toolDenialKind),
    beforeRun: user?.json.toolDenialBeforeRun === true,
    ofAgent: user?.isSidechain === true && user.json.promptId !== undefined,
  };
}

/** How a call ended, by a result of it. @param user its line, `null` where that is the API's own */
export function stateOfResult(
  { content, isError }: Extract<ContentBlock, { kind: "tool-result" }>,
  user: UserRecord | null,
): number {
  const text = content.find((inner) => inner.kind === "text");
  const interrupted = asObject(user?.toolUseResult)?.interrupted === true;
  return resultState(text?.text ?? "", { isError, interrupted, denial: denialOf(user) });
}

/**
 * How a call ended, from its first result. `interrupted` comes from the structured result; where the
 * line has no field for denials, the wording decides.
 */
export function resultState(
  text: string,
  { isError, interrupted, denial }: { isError: boolean; interrupted: boolean; denial: Denial },
): number {
  // Without an error mark the text may be anything, such as the content of a file.
  if (!isError) return interrupted ? CallState.stopped : CallState.ok;
  if (interrupted || CUT_SHORT.has(denial.kind) || text.includes("[Request interrupted by user"))
    return CallState.interrupted;
  if (text.startsWith(REFUSAL) && text.includes(STOPPED)) return CallState.interrupted;
  // An agent's call was stopped with it (2.1.160, 2.1.332).
  if (text.startsWith(REFUSAL) && !denial.beforeRun && (denial.kind ?? PERSON) === PERSON)
    return denial.ofAgent ? CallState.interrupted : CallState.refused;
  if (
    text.startsWith(REFUSAL) ||
    denial.kind !== null ||
    DENIALS.some((start) => text.startsWith(start)) ||
    BLOCKED.test(text) ||
    BLOCKED_BY_HOOK.test(text)
  )
    return CallState.denied;
  // 1.0.128: the whole text; 2.1.330: behind "Exit code 143".
  if (/^(Exit code \d+\s+)?Command timed out after/.test(text)) return CallState.timedOut;
  return CallState.error;
}
