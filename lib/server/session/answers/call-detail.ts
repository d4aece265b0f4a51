import { countLines } from "@/lib/log/adding/patch-count";
import { membersOf } from "@/lib/log/graph/steps";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { blobRefs } from "@/lib/log/rows/blob-refs";
import { notificationEvent } from "@/lib/log/rows/events";
import { cutText, timeOf } from "@/lib/log/rows/row-context";
import { textOfResult } from "@/lib/log/rows/tool-row";
import { promptOf } from "@/lib/log/rows/turn-row";
import { at } from "@/lib/log/table/table";
import { startedTask } from "@/lib/tools/started-task";
import { toolNamed } from "@/lib/tools/tools";
import type { RecordId } from "@/lib/wire/ids";
import { type CallDetail, type LaterOutput, MAX_FIELD, type OutputBlock } from "@/lib/wire/record";
import type { BlobRef, CutText } from "@/lib/wire/rows";
import { timeAt } from "../files/file-events";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { fileDiffs, findCallBlock, notACall, originalFile } from "./file-diffs";
import { persistedOutputs, resultDocument } from "./tool-result-file";

const NONE = -1;
const MAX_OUTPUT = 512 << 10;

/** The content of an opened call: its input, every result in the log, and its changes. */
export async function callDetail(
  session: OpenSession,
  recordId: RecordId,
  blockIndex: number,
): Promise<CallDetail> {
  const { table } = session;
  const record = session.find(recordId);
  const block = findCallBlock(session, record, blockIndex);
  const call = table.blocks.call.at(block);
  const results: { record: number; blockIndex: number }[] = [];
  for (
    let result = table.calls.result.at(call);
    result !== NONE;
    result = table.furtherResults.after(result)
  ) {
    results.push({
      record: table.blocks.record.at(result),
      blockIndex: table.blocks.index.at(result),
    });
  }
  const read = await readRecords(session, [record, ...results.map((one) => one.record)]);
  const logged = read(record);
  const use = logged?.kind === "assistant" ? logged.blocks[table.blocks.index.at(block)] : undefined;
  if (use?.kind !== "tool-use") throw notACall();
  const answered = results.map(({ record: result, blockIndex: at }) =>
    answerOf(session, result, read(result), at),
  );
  const [first] = answered;
  const partial = first ? null : await partialOutput(session, record, use.id);
  const structured = first?.line?.kind === "user" ? asObject(first.line.toolUseResult) : null;
  const original = originalFile(structured);
  return {
    recordId,
    block: blockIndex,
    toolUseId: use.id,
    name: use.name,
    input: limited(use.input),
    results: answered.map((one) => one.wire),
    diffs: fileDiffs(use.name, use.input, structured, first?.wire.isError ?? true, textOf(first?.found)),
    originalLines: original === null ? null : countLines(original),
    partial: partial === null ? null : cutOutput(partial),
    later: await laterOutput(session, record, structured, first?.found),
    cwd: asString(logged?.kind === "assistant" ? logged.json.cwd : null),
  };
}

/** A result as it is in its record, and as an answer has it. `at`: its place among the blocks of its line. */
function answerOf(session: OpenSession, result: number, line: SessionRecord | null, at: number) {
  const found = line?.kind === "user" || line?.kind === "assistant" ? line.blocks[at] : undefined;
  const recordId = session.recordId(result);
  const printed = found?.kind === "tool-result" ? outputBlocks(found, blobRefs(line, recordId, at)) : [];
  const isOwn = ({ name }: BlobRef) => isAlone(line) || namesFile(found, name);
  const kept = persistedOutputs(session, line, recordId).filter(isOwn);
  const apart = [...kept, ...resultDocument(line, recordId)].map(
    (blob): OutputBlock => ({ kind: "blob", blob }),
  );
  const logged = line?.kind === "user" ? line : null;
  return {
    line,
    found,
    wire: {
      recordId,
      isError: found?.kind === "tool-result" && found.isError,
      atMs: timeOf(session.table, result),
      blocks: [...printed, ...apart],
      structured: limited(logged?.toolUseResult ?? null),
      content: limited(asObject(logged?.json.mcpMeta)?.structuredContent ?? null),
    },
  };
}

/** Whether a line has no other call's result: then a file that it names belongs to this one. */
function isAlone(line: SessionRecord | null): boolean {
  return line?.kind !== "user" || line.blocks.filter(({ kind }) => kind === "tool-result").length === 1;
}

function textOf(result: ContentBlock | undefined): string {
  return result?.kind === "tool-result" ? textOfResult(result) : "";
}

function namesFile(result: ContentBlock | undefined, name: string | null): boolean {
  return result?.kind === "tool-result" && name !== null && textOfResult(result).includes(name);
}

/** @param blobs those of the result, in reading order */
function outputBlocks(
  result: Extract<ContentBlock, { kind: "tool-result" }>,
  blobs: readonly BlobRef[],
): OutputBlock[] {
  const left = [...blobs];
  return result.content.map((block): OutputBlock => {
    if (block.kind === "text") return { kind: "text", text: cutOutput(block.text) };
    if (block.kind !== "media") return { kind: "other", type: block.type, json: limited(block.json) };
    const blob = left.shift();
    return blob ? { kind: "blob", blob } : { kind: "other", type: block.type, json: null };
  });
}

const MAX_TAIL = 4_000;

/** An output, with its last lines where the middle is left out. */
function cutOutput(text: string): CutText {
  const head = cutText(text, MAX_OUTPUT);
  if (!head.cut) return head;
  const end = text.slice(-MAX_TAIL);
  return { ...head, tail: end.slice(end.indexOf("\n") + 1), lines: countLines(text) };
}

/** The value with long strings cut. Recursion is limited in depth: logs can nest arbitrarily. */
function limited(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cutText(value, MAX_FIELD).text;
  if (typeof value !== "object" || value === null) return value;
  if (depth > 64) return "…";
  if (Array.isArray(value)) return asArray(value).map((one) => limited(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, limited(one, depth + 1)]));
}

/** A command writes one such line a second; the last ones contain everything in the earlier ones. */
const LOOK_BACK = 24;

/**
 * The latest recorded output of a command: the newest `bash_progress` line of the call
 * (2.1.29, 2.1.42), `null` where the log has none. For a call that never ended nothing else is known.
 */
async function partialOutput(
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
    if (types.at(records.type.at(member)) === "progress/bash_progress") progress.push(member);
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

/**
 * Only a call's line says which task it asks about, and a session may ask about many: at most this many are read for
 * one opened call.
 */
const MAX_CHECKS = 1_000;

/**
 * The later output of a command or agent in the background: the calls that read its output or
 * stopped it, and the notifications about it (2.1.29 on), in the order they were written.
 */
async function laterOutput(
  session: OpenSession,
  record: number,
  structured: JsonObject | null,
  result: ContentBlock | undefined,
): Promise<LaterOutput[]> {
  const text = result?.kind === "tool-result" && result.isError ? "" : textOf(result);
  const task = taskOf(structured) ?? startedTask(text)?.id ?? null;
  if (task === null) return [];
  const { table } = session;
  const checks = laterChecks(session, record);
  const notices = table.notices.filter((notice) => notice.brings && notice.agentId === task);
  const read = await readRecords(
    session,
    [...checks, ...notices].map((one) => one.record),
  );
  const found: { record: number; later: LaterOutput }[] = [];
  for (const { record: at, blockIndex } of checks) {
    const line = read(at);
    const use = line?.kind === "assistant" ? line.blocks[blockIndex] : undefined;
    if (use?.kind !== "tool-use" || askedFor(use.input) !== task) continue;
    found.push({
      record: at,
      later: { recordId: session.recordId(at), block: blockIndex, told: null, atMs: timeOf(table, at) },
    });
  }
  for (const { record: at } of notices) {
    const line = read(at);
    const text =
      line?.kind === "user"
        ? promptOf(line)
        : asString(asObject(line?.kind === "attachment" ? line.attachment : null)?.prompt);
    if (!text) continue;
    const { label } = notificationEvent(text);
    found.push({
      record: at,
      later: { recordId: session.recordId(at), block: 0, told: label, atMs: timeOf(table, at) },
    });
  }
  const timeOfLook = ({ record: at }: { record: number }) => timeAt(session, at);
  return found.sort((a, b) => timeOfLook(a) - timeOfLook(b) || a.record - b.record).map(({ later }) => later);
}

/** The id of a call's command or agent in the background, if any. */
function taskOf(structured: JsonObject | null): string | null {
  if (!structured) return null;
  const isAgent = structured.isAsync === true || structured.status === "async_launched";
  return (
    asString(structured.backgroundTaskId) ??
    // Up to 2.0.50 it was called a shell, and the calls that read its output have a `shellId` too.
    (structured.status === undefined ? asString(structured.shellId) : null) ??
    (isAgent ? asString(structured.agentId) : null)
  );
}

function askedFor(input: JsonObject): string | null {
  return (
    asString(input.bash_id) ?? asString(input.shell_id) ?? asString(input.task_id) ?? asString(input.agentId)
  );
}

/**
 * The calls after a record that may be about its task, in any thread: an agent's task continues after the agent has
 * ended.
 */
function laterChecks(session: OpenSession, record: number): { record: number; blockIndex: number }[] {
  const { calls, blocks, records, tools } = session.table;
  const startedAtMs = timeAt(session, record);
  const isLater = (other: number) =>
    records.file.at(other) === records.file.at(record)
      ? other > record
      : timeAt(session, other) >= startedAtMs;
  const found: { record: number; blockIndex: number }[] = [];
  for (let call = 0; call < calls.size && found.length < MAX_CHECKS; call++) {
    if (!toolNamed(tools.at(calls.tool.at(call)))?.followsTask) continue;
    const use = calls.use.at(call);
    if (use === NONE || !isLater(blocks.record.at(use))) continue;
    found.push({ record: blocks.record.at(use), blockIndex: blocks.index.at(use) });
  }
  return found;
}
