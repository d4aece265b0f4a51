import { firstWords, textStart } from "@/lib/format/text";
import { ownPasses } from "@/lib/log/adding/add-message";
import { stateOfResult } from "@/lib/log/adding/add-result";
import { commandLine, tagContent, userTextKind } from "@/lib/log/adding/user-text";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { parseTime } from "@/lib/log/records/parse-record";
import type { AssistantRecord, SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { describeCall } from "@/lib/log/rows/calls/describe-call";
import { CallState } from "@/lib/log/table/kinds";
import { forgetEnded, launchedBySkill, noteBackground } from "./background-agents";
import { LatePrompt } from "./late-prompt";

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
  /** Time of the last line of any kind, of the last of the conversation's own, and of the line that `last` refers to. */
  lastAtMs: number | null;
  lastNodeAtMs: number | null;
  lastMessageAtMs: number | null;
  /** The model marked this message as the end of its turn; `null` where the version does not record that. */
  ended: boolean | null;
  pending: PendingCall[];
  calls: SeenCall[];
  /** Agents that were started in the background and whose end was not reported yet. */
  background: string[];
  /** How many prompts and reports wait in the client's queue for the turn to end. */
  queued: number;
  /** When the client took one out of its queue that is not in the conversation yet. */
  takenAtMs: number | null;
  /** When something was typed that is not in the log yet: the client notes first how its files stood then. */
  notedAtMs: number | null;
  lastText: string | null;
  /** The last of what its person typed, as `typedWords` has it. */
  lastTyped: string | null;
  contextTokens: number | null;
  model: string | null;
};

/** Whether a call is open, or the model's answer is due. */
export function isMidway({ pending, last, ended }: TailFacts): boolean {
  if (pending.length > 0 || ended === false) return true;
  return ended === null && (last === "prompt" || last === "result" || last === "thinking");
}

/**
 * The facts for a client that began at `startedAtMs`, `null` for not known: without what another one was at, which had ended
 * before. The log may tell of that only with the next prompt, and before that of what was queued or a hook said (2.1.332).
 */
export function sinceStart(facts: TailFacts, startedAtMs: number | null): TailFacts {
  if ((startedAtMs ?? 0) <= (facts.lastMessageAtMs ?? 0)) return facts;
  const alone = { ...facts, pending: [], background: [] };
  return isMidway(facts) ? { ...alone, last: "interruption", ended: true } : alone;
}

/** Long strings are cut to this: enough for a call's subject and the beginning of a text. */
export const KEEP_BYTES = 1024;

const TEXT_LENGTH = 200;

/** The beginning of what a person typed, by which it is found again. A command for the shell begins with `!`. */
export function typedWords(text: string): string {
  return firstWords(text, TEXT_LENGTH);
}

const PARTIAL_LENGTH = 600;
/** Lines stand in another order than their times, but not by so much. */
const SET_BACK_MS = 30 * 60_000;
const MAX_CALLS = 100;
const INPUT_LENGTH = 1_000;

/** What was said so far, and what is still open, as records come. `facts` lacks what the others hold. */
type Told = {
  facts: TailFacts;
  pending: Map<string, PendingCall>;
  background: Set<string>;
  /** A result came whose call is not among these records. */
  lacksCalls: boolean;
  late: LatePrompt<Stand>;
};

/** What a prompt changes. */
type Stand = Pick<TailFacts, "last" | "ended" | "lastText" | "lastMessageAtMs"> & {
  pending: ReadonlyMap<string, PendingCall>;
};

/** Derives facts from the last records of a main log, in file order. Sidechains are no evidence for the main thread. */
export class FactsOfTail {
  #told: Told;

  /** @param out agents that were in the background before these records */
  constructor(out: Iterable<string> = []) {
    const facts: TailFacts = {
      last: "none",
      lastAtMs: null,
      lastNodeAtMs: null,
      lastMessageAtMs: null,
      ended: null,
      pending: [],
      calls: [],
      background: [],
      queued: 0,
      takenAtMs: null,
      notedAtMs: null,
      lastText: null,
      lastTyped: null,
      contextTokens: null,
      model: null,
    };
    const late = new LatePrompt<Stand>();
    this.#told = { facts, pending: new Map(), background: new Set(out), lacksCalls: false, late };
  }

  /** Adds records, in the order of the log. */
  add(records: Iterable<SessionRecord>): void {
    for (const record of records) addInOrder(this.#told, record);
    const { facts } = this.#told;
    if (facts.calls.length > MAX_CALLS) facts.calls = facts.calls.slice(-MAX_CALLS);
  }

  /** In the middle of work that began before these records: other calls may have begun with it, and be open. */
  get lacksBeginning(): boolean {
    const { facts, lacksCalls } = this.#told;
    const isAtWork = facts.last === "result" || facts.last === "thinking" || facts.last === "call";
    return facts.last === "none" || (isAtWork && lacksCalls);
  }

  /** The facts now. Nothing that comes later changes them. */
  get(): TailFacts {
    const { facts, pending, background } = this.#told;
    return { ...facts, calls: [...facts.calls], pending: [...pending.values()], background: [...background] };
  }

  /** What the facts would be with these records as well. */
  with(records: readonly SessionRecord[]): TailFacts {
    if (records.length === 0) return this.get();
    const { facts, pending, background, lacksCalls, late } = this.#told;
    const all = new FactsOfTail();
    all.#told = {
      lacksCalls,
      late: late.copy(),
      facts: { ...facts, calls: [...facts.calls] },
      pending: new Map(pending),
      background: new Set(background),
    };
    all.add(records);
    return all.get();
  }
}

/** Adds a record, and leaves out what a prompt has changed that was answered before it was written. */
function addInOrder(told: Told, record: SessionRecord): void {
  if (record.kind === "unreadable" || record.isSidechain) return addRecord(told, record);
  const before = told.late.take(record, () => {
    const { last, ended, lastText, lastMessageAtMs } = told.facts;
    return { last, ended, lastText, lastMessageAtMs, pending: new Map(told.pending) };
  });
  addRecord(told, record);
  if (before === null) return;
  const { pending, ...facts } = before;
  Object.assign(told.facts, facts);
  told.pending = new Map(pending);
}

function addRecord(told: Told, record: SessionRecord): void {
  const { facts, pending, background } = told;
  if (record.kind === "unreadable" || record.isSidechain) return;
  if (record.atMs !== null) {
    // The clock was set back since: times before that say nothing of how long ago something was written.
    const isMessage = record.kind === "user" || record.kind === "assistant";
    if (isMessage && (facts.lastAtMs ?? 0) - record.atMs > SET_BACK_MS) {
      facts.lastAtMs = null;
      facts.lastNodeAtMs = null;
    }
    facts.lastAtMs = Math.max(facts.lastAtMs ?? 0, record.atMs);
    // The queue's lines come while something else goes on.
    if (record.kind !== "metadata") facts.lastNodeAtMs = Math.max(facts.lastNodeAtMs ?? 0, record.atMs);
  }
  if (record.kind === "user" || record.kind === "system") facts.notedAtMs = null;
  if (record.kind === "user") {
    told.lacksCalls ||= resultsOf(record).some(({ id }) => !facts.calls.some((call) => call.id === id));
    if (addUser(facts, pending, record)) facts.lastMessageAtMs = record.atMs;
    // The answer before it may be written between the queue's line and this one (2.1.332).
    if ((record.atMs ?? 0) >= (facts.takenAtMs ?? 0)) facts.takenAtMs = null;
    noteBackground(background, record);
  }
  // Reported while a call runs (2.1.110 and later).
  else if (record.kind === "attachment") forgetEnded(background, asString(record.attachment.prompt));
  else if (record.kind === "assistant") {
    addAssistant(facts, pending, record);
    facts.lastMessageAtMs = record.atMs;
  }
  // Up to 2.1.42 a notification that arrives while the model works is only in the queue.
  else if (record.kind === "metadata" && record.json.type === "queue-operation") {
    forgetEnded(background, asString(record.json.content));
    noteQueue(facts, record.json.operation, record.atMs);
  }
  // 0.1 to 0.4 s before what was typed (2.0.42 and later); an update of one is of an edit.
  else if (record.kind === "metadata" && record.json.type === "file-history-snapshot") {
    const atMs = parseTime(asObject(record.json.snapshot)?.timestamp);
    if (record.json.isSnapshotUpdate !== false) return;
    facts.notedAtMs = atMs;
    // What is typed during a turn waits for its end.
    if (facts.last === "text") facts.ended ??= true;
  }
  // 2.0.42–2.1.42 log what a running command has written so far.
  else if (record.kind === "progress" && record.dataType === "bash_progress") {
    const id = record.parentToolUseId ?? "";
    const call = pending.get(id);
    const output = asString(record.data.fullOutput) ?? asString(record.data.output);
    if (call && output) pending.set(id, { ...call, partial: output.slice(-PARTIAL_LENGTH) });
  }
  // Written when a turn is over (2.1.x).
  else if (record.kind === "system" && record.subtype === "turn_duration") facts.ended = true;
  else if (record.kind === "system" && isOwnCompaction(record)) endTurn(facts, pending);
  else if (record.kind === "system" && record.subtype === "local_command") {
    const agentId = launchedBySkill(asString(record.json.content) ?? "");
    if (agentId === null) return;
    background.add(agentId);
    endTurn(facts, pending);
  }
  // `/subtask` (2.1.330).
  else if (record.kind === "system" && typeof record.json.launchedAgentId === "string")
    background.add(record.json.launchedAgentId);
  // Known from descriptions only, never recorded: every agent in the background was stopped.
  else if (record.kind === "system" && record.subtype === "agents_killed") background.clear();
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

/**
 * What waits is taken out when the turn is over (`dequeue`), or goes along with a result (`remove`); 2.0.76–2.1.42 do not
 * log everything that was put in.
 */
function noteQueue(facts: TailFacts, operation: unknown, atMs: number | null): void {
  if (operation === "enqueue") facts.queued += 1;
  else if (operation === "dequeue" || operation === "remove") facts.queued = Math.max(0, facts.queued - 1);
  // Back to where its person types.
  else facts.queued = 0;
  if (operation === "dequeue") facts.takenAtMs = atMs;
}

/** The end of the text of a refusal, where its person has told the model nothing. */
const TURN_REFUSED = "STOP what you are doing and wait for the user to tell you how to proceed";

/** False for a line that leaves open whose turn it is. */
function addUser(facts: TailFacts, pending: Map<string, PendingCall>, record: UserRecord): boolean {
  let answers = false;
  for (const block of record.blocks) if (block.kind === "tool-result") answers = true;
  for (const { id: answered, failed } of resultsOf(record)) {
    pending.delete(answered);
    const at = failed ? facts.calls.findLastIndex(({ id }) => id === answered) : -1;
    const call = facts.calls[at];
    // Another object: this one has been told of as it was.
    if (call) facts.calls[at] = { ...call, failed: true };
  }
  const [first] = record.blocks;
  const text = first?.kind === "text" ? first.text : "";
  if (text.startsWith("[Request interrupted by user")) {
    facts.last = "interruption";
    pending.clear();
  }
  // One that is refused with a word for the model goes on; of the others a line says so a moment later.
  else if (answers) facts.last = record.blocks.some(isRefusal) ? "interruption" : "result";
  // 1.0.60 compacts without a boundary; after the line for `/compact` the client has nothing left to do.
  else if (text.startsWith("<command-name>/compact<")) {
    facts.lastTyped = "/compact";
    endTurn(facts, pending);
    return true;
  } else if (isLocal(record, text)) {
    const command = tagContent(text, "bash-input");
    if (command !== null) facts.lastTyped = typedWords(`!${command.trim()}`);
    return false;
  }
  // A background agent's answer, or a command's end. The model continues without a person's message.
  else if (userTextKind(text) === "notification") facts.last = "result";
  else {
    facts.last = "prompt";
    facts.lastText = typedWords(text.startsWith("<command-") ? commandLine(text) : text);
    facts.lastTyped = facts.lastText;
    pending.clear(); // a person spoke: what still waits was given up
  }
  facts.ended = null;
  return true;
}

/** Its person has refused a call, or stopped it, and the turn with it (all versions). A file that was read may say so too. */
function isRefusal(block: ContentBlock): boolean {
  if (block.kind !== "tool-result" || !block.isError) return false;
  return block.content.some((inner) => inner.kind === "text" && inner.text.includes(TURN_REFUSED));
}

/**
 * Commands that the client answers itself, and lines that it adds: no answer of the model follows them. A custom
 * command goes to the model; its line begins with its message, a built-in one's with its name (all versions).
 */
function isLocal(record: UserRecord, text: string): boolean {
  if (record.isMeta || record.isCompactSummary || userTextKind(text) === "output") return true;
  return /^<(local-command|command-name|bash-(input|stdout|stderr))/.test(text.trimStart());
}

function addAssistant(facts: TailFacts, pending: Map<string, PendingCall>, record: AssistantRecord): void {
  for (const block of record.blocks) {
    if (block.kind === "text" && block.text.trim() !== "") {
      facts.last = "text";
      facts.lastText = firstWords(block.text, TEXT_LENGTH);
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

/** How calls end that have failed: one that was refused, or stopped, has not. */
const FAILED: ReadonlySet<number> = new Set([CallState.error, CallState.timedOut]);

/** The calls that have their results in a line. */
export function resultsOf(record: UserRecord): { id: string; failed: boolean }[] {
  return record.blocks.flatMap((block) =>
    block.kind === "tool-result" && block.toolUseId
      ? [{ id: block.toolUseId, failed: FAILED.has(stateOfResult(block, record)) }]
      : [],
  );
}

function inputText(input: PendingInput): string {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  return textStart(texts.join("\n"), INPUT_LENGTH);
}

type PendingInput = Parameters<typeof describeCall>[0]["input"];

/**
 * How many tokens the context of an answer holds. One of several passes (`usage.iterations`, 2.1.330) counts them all;
 * the last of its own model was sent what those before it were.
 */
function requestTokens({ usage }: AssistantRecord): number {
  const sent = ownPasses(usage).at(-1) ?? usage;
  const cache = asObject(sent?.cache_creation);
  const read = (of: JsonObject | null, name: string) => asNumber(of?.[name]) ?? 0;
  // Before 2.1.152 the sum may be 0 where its parts are not.
  const written = Math.max(
    read(sent, "cache_creation_input_tokens"),
    read(cache, "ephemeral_5m_input_tokens") + read(cache, "ephemeral_1h_input_tokens"),
  );
  return read(sent, "input_tokens") + written + read(sent, "cache_read_input_tokens");
}
