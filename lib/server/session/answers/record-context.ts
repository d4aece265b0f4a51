import { usageOfMessage } from "@/lib/log/graph/session-cost";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { timeOf } from "@/lib/log/rows/row-context";
import { CallState, isDenied, isFailure, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { RecordContext, RecordHook } from "@/lib/wire/record";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { requestTokens } from "../request/context-window";

const NONE = -1;
/** Hooks are logged soon after what they were run for. */
const LOOK_AHEAD = 400;
const MAX_HOOKS = 32;
const KEEP_BYTES = 4_096;

/**
 * What the lines around a record say about it: its model and tokens, how long its call took, its permission, its hooks.
 */
export async function recordContext(
  session: OpenSession,
  record: number,
  logged: SessionRecord | null,
): Promise<RecordContext> {
  const { table } = session;
  const message = table.records.message.at(record);
  const call = callOf(session, record);
  return {
    model: message === NONE ? null : table.models.at(table.messages.model.at(message)),
    tokens: requestTokens(table, message),
    usage: usageOfMessage(table, message, pricesInUse().table),
    isUsageExact: !logged || logged.kind === "unreadable" || logged.json.usageIsExact !== false,
    durationMs: call === NONE ? null : durationOf(session, call),
    permission: call === NONE ? null : decisionOf(table.calls.state.at(call)),
    mode: await modeOf(session, record),
    hooks: await hooksOf(session, record, logged),
  };
}

/** The call that a line asks for or answers, the first where there are several; -1 for none. */
function callOf({ table }: OpenSession, record: number): number {
  for (const block of blocksOf(table, record)) {
    const call = table.blocks.call.at(block);
    if (call !== NONE) return call;
  }
  return NONE;
}

function durationOf({ table }: OpenSession, call: number): number | null {
  const [from, to] = (["use", "result"] as const).map((end) => {
    const block = table.calls[end].at(call);
    return block === NONE ? null : timeOf(table, table.blocks.record.at(block));
  });
  return from == null || to == null ? null : Math.max(0, to - from);
}

function decisionOf(state: number): RecordContext["permission"] {
  if (state === CallState.none) return null;
  if (isDenied(state)) return "denied";
  return state === CallState.interrupted && isFailure(state) ? "interrupted" : "allowed";
}

/** The permission mode that the client recorded with the prompt above (1.0.128 on). */
async function modeOf(session: OpenSession, record: number): Promise<string | null> {
  const { table, graph } = session;
  let up = record;
  // Every walk up ends: it is no longer than the number of records.
  for (let left = graph.parents.length; left > 0 && up !== NONE; left--) {
    if (table.records.kind.at(up) === RecordKind.prompt) {
      const prompt = (await readRecords(session, [up], KEEP_BYTES))(up);
      return prompt && prompt.kind !== "unreadable" ? asString(prompt.json.permissionMode) : null;
    }
    up = at(graph.parents, up);
  }
  return null;
}

/** The hooks that ran for a record's call, or, for a record without a call, those that directly follow it. */
async function hooksOf(
  session: OpenSession,
  record: number,
  logged: SessionRecord | null,
): Promise<RecordHook[]> {
  const { records, types } = session.table;
  const ids = toolUseIds(logged);
  const file = records.file.at(record);
  const found: number[] = [];
  const end = session.graph.parents.length;
  for (let next = record + 1, looked = 0; next < end && looked < LOOK_AHEAD; next++) {
    // While a session grows, lines of other files may be in between.
    if (records.file.at(next) !== file) continue;
    looked += 1;
    const type = types.at(records.type.at(next)) ?? "";
    const kind = records.kind.at(next);
    if (/^(?:attachment\/(?:async_)?hook_|progress\/hook_)/.test(type)) found.push(next);
    else if (ids.size === 0 && (kind === RecordKind.assistant || kind === RecordKind.prompt)) break;
  }
  const read = await readRecords(session, found, KEEP_BYTES);
  const hooks: RecordHook[] = [];
  for (const one of found) {
    const hook = hookOf(read(one), ids);
    if (hooks.length === MAX_HOOKS) break;
    if (!hook) continue;
    // A hook with several outputs has a line for each, one of which has its outcome. Several hooks can have one name.
    const known = hooks.findIndex(({ name, outcome }) => name === hook.name && outcome === null);
    if (known !== -1) hooks[known] = hook;
    else if (hook.outcome !== null || !hooks.some(({ name }) => name === hook.name)) hooks.push(hook);
  }
  return hooks;
}

function toolUseIds(logged: SessionRecord | null): ReadonlySet<string> {
  const blocks = logged?.kind === "assistant" || logged?.kind === "user" ? logged.blocks : [];
  const ids = blocks.map((block) =>
    block.kind === "tool-use" ? block.id : block.kind === "tool-result" ? block.toolUseId : null,
  );
  return new Set(ids.filter((id) => id !== null));
}

const OUTCOMES: ReadonlyMap<string, RecordHook["outcome"]> = new Map<string, RecordHook["outcome"]>([
  ["hook_success", "ok"],
  ["hook_blocking_error", "blocked"],
  ["hook_non_blocking_error", "failed"],
  ["hook_cancelled", "cancelled"],
]);

function hookOf(line: SessionRecord | null, ids: ReadonlySet<string>): RecordHook | null {
  if (line?.kind === "attachment") {
    const { attachment, attachmentType } = line;
    const id = asString(attachment.toolUseID);
    if (ids.size > 0 && (id === null || !ids.has(id))) return null;
    const name = asString(attachment.hookName) ?? asString(attachment.hookEvent);
    if (name === null) return null;
    return {
      name,
      outcome: OUTCOMES.get(attachmentType) ?? null,
      durationMs: asNumber(attachment.durationMs),
    };
  }
  if (line?.kind !== "progress") return null;
  // 2.1.29 and 2.1.42 log that a hook ran, and not how it ended.
  if (ids.size > 0 && (line.parentToolUseId === null || !ids.has(line.parentToolUseId))) return null;
  const name = asString(line.data.hookName) ?? asString(asObject(line.data)?.hookEvent);
  return name === null ? null : { name, outcome: null, durationMs: null };
}
