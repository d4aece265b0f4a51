import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { AssistantRecord, SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { describeCall } from "@/lib/log/rows/calls/describe-call";
import { commandLine, tagContent, userTextKind } from "@/lib/log/table/user-text";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { nextSlice } from "@/lib/server/runtime/slices";

const TAIL_BYTES = 128 << 10;
/** For logs that end in bookkeeping: 2.1.330 writes request logs of 100 kB. */
const MAX_BYTES = 2 << 20;
/** Long strings are cut to this: enough for a call's subject and the beginning of a text. */
export const KEEP_BYTES = 1024;

/** Spare buffers for tails: in a busy folder hundreds of logs are read in a second. */
const spares: Buffer[] = [];
const MAX_SPARES = 4;

/**
 * The facts at the end of a main log, read synchronously, which takes less time than the thread pool;
 * an incomplete line at its end does not count yet. Throws what `openConfinedSync` throws.
 * @param out agents that were in the background at the last read: their launch may be further up
 */
export async function readTail(root: string, path: string, out: readonly string[] = []): Promise<TailFacts> {
  await nextSlice();
  const file = openConfinedSync(root, path);
  const buffer = spares.pop() ?? Buffer.allocUnsafeSlow(TAIL_BYTES);
  try {
    const { size } = file.stat();
    for (let bytes = TAIL_BYTES; ; bytes = MAX_BYTES) {
      const from = Math.max(0, size - bytes);
      const facts = tailFacts(recordsIn(readRangeSync(file, from, size, buffer), from), out);
      if (facts.last !== "none" || from === 0 || bytes === MAX_BYTES) return facts;
    }
  } finally {
    if (spares.length < MAX_SPARES) spares.push(buffer);
    file.close();
  }
}

/** The newest time at the end of a log, `null` where no line there has one. Throws what `openConfinedSync` throws. */
export async function readLastTime(root: string, path: string): Promise<number | null> {
  await nextSlice();
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    let newestMs: number | null = null;
    for (const record of recordsIn(readRangeSync(file, from, size), from)) {
      if (record.kind !== "unreadable" && record.atMs !== null)
        newestMs = Math.max(newestMs ?? record.atMs, record.atMs);
    }
    return newestMs;
  } finally {
    file.close();
  }
}

/** `from`: the chunk's byte offset; only at 0 is it certain to begin with a complete line. */
function recordsIn(chunk: Uint8Array, from: number): SessionRecord[] {
  const start = from > 0 ? chunk.indexOf(0x0a) + 1 : 0;
  const records: SessionRecord[] = [];
  const splitter = new LineSplitter(from + start);
  const take = (line: RawLine) => {
    if (line.length > 0) records.push(...parseLine(line, { keepBytes: KEEP_BYTES }));
  };
  splitter.push(chunk.subarray(start), take);
  const rest = splitter.rest();
  if (rest && beginsWithRecord(rest)) take(rest);
  return records;
}

/** A call of the main thread that has no result yet. */
export type PendingCall = {
  id: string;
  name: string;
  subject: string;
  offset: number;
  atMs: number | null;
  partial: string | null;
};

/** A call that a log's last lines tell of, the newest last. `text`: the beginning of what it was called with. */
export type SeenCall = Pick<PendingCall, "id" | "name" | "subject" | "offset"> & {
  text: string;
  failed: boolean;
};

/** The state of a session according to the last lines of its main log. */
export type TailFacts = {
  /** The kind of the last line that counts: it determines whose turn it is. */
  last: "prompt" | "result" | "text" | "thinking" | "call" | "interruption" | "none";
  /** Time of the last line of any kind, and of the line that `last` refers to. */
  lastAtMs: number | null;
  lastMessageAtMs: number | null;
  /** The model marked this message as the end of its turn; `null` where the version does not record that. */
  ended: boolean | null;
  pending: PendingCall[];
  calls: SeenCall[];
  /** Agents that were started in the background and whose end was not reported yet. */
  background: string[];
  lastText: string | null;
  contextTokens: number | null;
  model: string | null;
};

const TEXT_LENGTH = 200;
const PARTIAL_LENGTH = 600;
const MAX_CALLS = 100;
const INPUT_LENGTH = 1_000;

/**
 * Derives facts from the last records of a main log, in file order. Sidechains are no evidence for the main thread.
 * @param out agents that were in the background before these records
 */
export function tailFacts(records: Iterable<SessionRecord>, out: Iterable<string> = []): TailFacts {
  const facts: TailFacts = {
    last: "none",
    lastAtMs: null,
    lastMessageAtMs: null,
    ended: null,
    pending: [],
    calls: [],
    background: [],
    lastText: null,
    contextTokens: null,
    model: null,
  };
  const pending = new Map<string, PendingCall>();
  const background = new Set(out);
  for (const record of records) {
    if (record.kind === "unreadable" || record.isSidechain) continue;
    if (record.atMs !== null) facts.lastAtMs = Math.max(facts.lastAtMs ?? 0, record.atMs);
    if (record.kind === "user") {
      if (addUser(facts, pending, record)) facts.lastMessageAtMs = record.atMs;
      noteBackground(background, record);
    }
    // Reported while a call runs (2.1.110 and later).
    else if (record.kind === "attachment") forgetEnded(background, asString(record.attachment.prompt));
    else if (record.kind === "assistant") {
      addAssistant(facts, pending, record);
      facts.lastMessageAtMs = record.atMs;
    }
    // Up to 2.1.42 a notification that arrives while the model works is only in the queue.
    else if (record.kind === "metadata" && record.json.type === "queue-operation")
      forgetEnded(background, asString(record.json.content));
    // 2.0.42–2.1.42 log what a running command has written so far.
    else if (record.kind === "progress" && record.dataType === "bash_progress") {
      const call = pending.get(record.parentToolUseId ?? "");
      const output = asString(record.data.fullOutput) ?? asString(record.data.output);
      if (call && output) call.partial = output.slice(-PARTIAL_LENGTH);
    }
    // Written when a turn is over (2.1.x).
    else if (record.kind === "system" && record.subtype === "turn_duration") facts.ended = true;
    else if (record.kind === "system" && isOwnCompaction(record)) endTurn(facts, pending);
    // Known from descriptions only, never recorded: every agent in the background was stopped.
    else if (record.kind === "system" && record.subtype === "agents_killed") background.clear();
  }
  facts.calls = facts.calls.slice(-MAX_CALLS);
  facts.pending = [...pending.values()];
  facts.background = [...background];
  return facts;
}

/** A compaction requested by a person (2.0.0 and later): after it the client waits, however the turn before ended. */
function isOwnCompaction({ subtype, json }: Extract<SessionRecord, { kind: "system" }>): boolean {
  return subtype === "compact_boundary" && asObject(json.compactMetadata)?.trigger === "manual";
}

function endTurn(facts: TailFacts, pending: Map<string, PendingCall>): void {
  facts.last = "text";
  facts.ended = true;
  pending.clear();
}

/** From 2.0.76 on an agent may run in the background: its call ends at once, a notification reports its end. */
function noteBackground(background: Set<string>, { toolUseResult, blocks }: UserRecord): void {
  const result = asObject(toolUseResult);
  const agentId = asString(result?.agentId);
  if (agentId && result?.status === "async_launched") background.add(agentId);
  // TaskOutput and TaskStop report the state of a task, or that it was stopped.
  const task = asObject(result?.task);
  const taskId = asString(task?.task_id);
  if (taskId && task?.status !== "running" && task?.status !== "pending") background.delete(taskId);
  const stopped = asString(result?.task_id);
  if (stopped) background.delete(stopped);
  for (const block of blocks) if (block.kind === "text") forgetEnded(background, block.text);
}

function forgetEnded(background: Set<string>, text: string | null): void {
  if (text === null || userTextKind(text) !== "notification") return;
  // 2.0.76 has a tag of its own for agents.
  const ended = tagContent(text, "task-id") ?? tagContent(text, "agent-id");
  if (ended !== null) background.delete(ended);
}

/** False for a line that leaves open whose turn it is. */
function addUser(facts: TailFacts, pending: Map<string, PendingCall>, record: UserRecord): boolean {
  let answers = false;
  for (const block of record.blocks) if (block.kind === "tool-result") answers = true;
  for (const { id: answered, failed } of resultsOf(record)) {
    pending.delete(answered);
    const call = failed ? facts.calls.findLast(({ id }) => id === answered) : undefined;
    if (call) call.failed = true;
  }
  const [first] = record.blocks;
  const text = first?.kind === "text" ? first.text : "";
  if (text.startsWith("[Request interrupted by user")) {
    facts.last = "interruption";
    pending.clear();
  } else if (answers) facts.last = "result";
  // 1.0.60 compacts without a boundary; after the line for `/compact` the client has nothing left to do.
  else if (text.startsWith("<command-name>/compact<")) {
    endTurn(facts, pending);
    return true;
  } else if (isLocal(record, text)) return false;
  // A background agent's answer, or a command's end. The model continues without a person's message.
  else if (userTextKind(text) === "notification") facts.last = "result";
  else {
    facts.last = "prompt";
    facts.lastText = firstWords(text.startsWith("<command-") ? commandLine(text) : text);
    pending.clear(); // a person spoke: what still waits was given up
  }
  facts.ended = null;
  return true;
}

/**
 * Commands that the client answers itself, and lines that it adds: no answer of the model follows them. A custom
 * command goes to the model; its line begins with its message, a built-in one's with its name (all versions).
 */
function isLocal(record: UserRecord, text: string): boolean {
  if (record.isMeta || record.isCompactSummary) return true;
  return /^<(local-command|command-name|bash-(input|stdout|stderr))/.test(text.trimStart());
}

function addAssistant(facts: TailFacts, pending: Map<string, PendingCall>, record: AssistantRecord): void {
  for (const block of record.blocks) {
    if (block.kind === "text" && block.text.trim() !== "") {
      facts.last = "text";
      facts.lastText = firstWords(block.text);
    } else if (block.kind === "thinking") facts.last = "thinking";
    else if (block.kind === "tool-use" && block.type === "tool_use") {
      facts.last = "call";
      if (!block.id) continue;
      pending.set(block.id, pendingCall(record, block.id, block.name, block.input));
    }
  }
  facts.calls.push(...callsOf(record));
  facts.ended = record.stopReason === null ? null : record.stopReason !== "tool_use";
  // 2.1.330 keeps a text that was interrupted, without a stop reason.
  if (record.isApiError || record.json.isAbortedMidStream === true) facts.ended = true;
  if (record.model && record.model !== "<synthetic>") facts.model = record.model;
  const tokens = requestTokens(record);
  if (tokens > 0) facts.contextTokens = tokens;
}

function pendingCall(record: AssistantRecord, id: string, name: string, input: PendingInput): PendingCall {
  const cwd = asString(record.json.cwd);
  const facts = { name, input, cwd, isError: false, text: null, isCut: false, result: null };
  const { subject } = describeCall(facts);
  return { id, name, subject, offset: record.at.offset, atMs: record.atMs, partial: null };
}

/** The calls that a line begins. */
export function callsOf(record: AssistantRecord): SeenCall[] {
  return record.blocks.flatMap((block) => {
    if (block.kind !== "tool-use" || block.type !== "tool_use" || !block.id) return [];
    const { id, name, subject, offset } = pendingCall(record, block.id, block.name, block.input);
    return [{ id, name, subject, offset, text: inputText(block.input), failed: false }];
  });
}

/** The calls that have their results in a line. */
export function resultsOf(record: UserRecord): { id: string; failed: boolean }[] {
  return record.blocks.flatMap((block) =>
    block.kind === "tool-result" && block.toolUseId ? [{ id: block.toolUseId, failed: block.isError }] : [],
  );
}

function inputText(input: PendingInput): string {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  return texts.join("\n").slice(0, INPUT_LENGTH);
}

type PendingInput = Parameters<typeof describeCall>[0]["input"];

function requestTokens({ usage }: AssistantRecord): number {
  const read = (name: string) => asNumber(asObject(usage)?.[name]) ?? 0;
  return read("input_tokens") + read("cache_creation_input_tokens") + read("cache_read_input_tokens");
}

function firstWords(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, TEXT_LENGTH);
}
