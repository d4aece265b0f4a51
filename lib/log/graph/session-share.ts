import { ADVISOR_TOOL } from "@/lib/log/adding/add-message";
import { textHash } from "@/lib/log/adding/text-prefix";
import { writeKey } from "@/lib/log/table/hash-index";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type SessionGraph, startsTurn } from "./session-graph";

/** Token counts of a message in a share, in this order after the words of its id. */
export const SHARED_COUNTS = [
  "input",
  "output",
  "cacheWrite",
  "cacheWrite5m",
  "cacheWrite1h",
  "cacheRead",
  "webSearches",
  "webFetches",
] as const;

export const KEY_WORDS = 4;
/** A turn's own key, followed by one of its text with the message that answered it (zeros for none). */
export const TURN_WORDS = 2 * KEY_WORDS;
/** After its counts a message has the second in which it began (0: unknown), its model and its facts. */
export const SECOND_WORD = KEY_WORDS + SHARED_COUNTS.length;
export const MODEL_WORD = SECOND_WORD + 1;
export const FACTS_WORD = MODEL_WORD + 1;
export const MESSAGE_WORDS = FACTS_WORD + 1;

/** Tokens of one pass of a message, in this order after the words of the message's id. */
const PASS_COUNTS = ["input", "output", "cacheWrite", "cacheWrite5m", "cacheWrite1h", "cacheRead"] as const;
export const PASS_WORDS = KEY_WORDS + PASS_COUNTS.length;

/** The names that the words of models and callers (`formatCaller`) stand for, in alphabetical order. */
export type FactNames = { models: readonly string[]; callers: readonly string[] };

/** The names in a table. Words are hashes of them, so that they are the same in whatever order the logs were read. */
export function factNames({ models, tools }: SessionTable, { threads }: SessionGraph): FactNames {
  // An agent's type may become known only after its first answers, which keep their words.
  const types = threads.length > 1 ? new Set(["", ...threads.slice(1).map(({ type }) => type ?? "")]) : [];
  const ofAgents = [...types].flatMap((type) =>
    [null, ...tools.list].map((tool) => formatCaller(tool, type)),
  );
  return { models: models.list.toSorted(), callers: [...tools.list, ...ofAgents].toSorted() };
}

const BETWEEN = "\0";

/** The tool that a message called first, with the type of the agent that wrote it: `null` for the main thread, "" where it is not known. */
function formatCaller(tool: string | null, agentType: string | null): string {
  return agentType === null ? (tool ?? "") : `${tool ?? ""}${BETWEEN}${agentType}`;
}

/** A text made by `formatCaller`. */
export function parseCaller(caller: string): { tool: string | null; agentType: string | null } {
  const [tool = "", agentType] = caller.split(BETWEEN);
  return { tool: tool || null, agentType: agentType ?? null };
}

/** The word of a model. */
export function modelWord(model: string): number {
  return textHash(model);
}

const AGENT_BIT = 8;
const TERMS_MASK = 7;

/** The word of a message's caller with its terms and whether an agent wrote it. */
export function factsWord(caller: string, terms: number, isAgents: boolean): number {
  const hash = caller === "" ? 0 : (textHash(caller) & 0xfffffff) * 16;
  return hash + (isAgents ? AGENT_BIT : 0) + (terms & TERMS_MASK);
}

/** The contents of the word of facts: `caller` as `factsWord` packs it. */
export function readFacts(word: number): { caller: number; terms: number; isAgents: boolean } {
  const bits = word % 16;
  return { caller: word - (word % 16), terms: bits & TERMS_MASK, isAgents: (bits & AGENT_BIT) !== 0 };
}

/**
 * What a session contributes to totals over sessions: its messages, `MESSAGE_WORDS` each, and its turns, `TURN_WORDS`
 * each, keyed by the 128 bits of their uuids. Forks, resumed sessions and branches copy lines with their ids, so
 * equal keys are one message or turn, to be counted once. 1.0.60 gives copied lines new uuids: there a turn is
 * identified by its text and the message that answers it, and one that was never answered counts in each copy. A
 * message may occur more than once: then the maximum of its counts is used. `passes`: those of all messages that were
 * made in several, `PASS_WORDS` each, one behind the other.
 */
export type SessionShare = { messages: Uint32Array; turns: Uint32Array; passes: Uint32Array };

/** The share of a session. `changed`: only these messages, where the others are known. */
export function shareOf(
  table: SessionTable,
  graph: SessionGraph,
  changed: readonly number[] | null = null,
): SessionShare {
  const numbers = changed ?? Array.from({ length: table.messages.size }, (_, message) => message);
  const messages = new Uint32Array(numbers.length * MESSAGE_WORDS);
  const tools = firstTools(table);
  const modelWords = table.models.list.map(modelWord);
  const threads = threadsOfMessages(table, graph);
  for (const [index, message] of numbers.entries()) {
    const from = index * MESSAGE_WORDS;
    table.messageIds.copyWords(message, messages, from);
    for (const [count, name] of SHARED_COUNTS.entries())
      messages[from + KEY_WORDS + count] = table.messages[name].at(message);
    const atMs = table.messages.atMs.at(message);
    messages[from + SECOND_WORD] = secondOf(atMs);
    messages[from + MODEL_WORD] = modelWords[table.messages.model.at(message)] ?? 0;
    const tool = at(tools, message);
    const thread = at(threads, message);
    const agentType = thread === 0 ? null : (graph.threads[thread]?.type ?? "");
    messages[from + FACTS_WORD] = factsWord(
      formatCaller(tool === -1 ? null : table.tools.at(tool), agentType),
      table.messages.terms.at(message),
      thread !== 0,
    );
  }
  return { messages, turns: turnKeys(table, graph), passes: passWords(table) };
}

function passWords({ passes, messageIds }: SessionTable): Uint32Array {
  const all = passes.list.flatMap(({ message, passes: own }) => own.map((pass) => ({ message, pass })));
  const words = new Uint32Array(all.length * PASS_WORDS);
  for (const [index, { message, pass }] of all.entries()) {
    messageIds.copyWords(message, words, index * PASS_WORDS);
    for (const [count, name] of PASS_COUNTS.entries())
      words[index * PASS_WORDS + KEY_WORDS + count] = pass[name];
  }
  return words;
}

/** 0 for a time that is unknown or does not fit into a word: of a clock that was set before 1970 or after 2106. */
function secondOf(atMs: number): number {
  const second = Math.floor(atMs / 1000);
  return second > 0 && second < 2 ** 32 ? second : 0;
}

/** Message → the tool that it called first, an advisor's the tool that asked for it, -1 for none. */
function firstTools({ messages, records, blocks, calls, tools: names, advised }: SessionTable): Int32Array {
  const tools = new Int32Array(messages.size).fill(-1);
  for (let call = calls.size - 1; call >= 0; call--) {
    const use = calls.use.at(call);
    const message = use === -1 ? -1 : records.message.at(blocks.record.at(use));
    if (message !== -1) tools[message] = calls.tool.at(call);
  }
  const asked = names.list.indexOf(ADVISOR_TOOL);
  for (const { advisors } of advised.list) for (const advisor of advisors) tools[advisor] = asked;
  return tools;
}

/** Message → its thread, an advisor's that of the message that it advised. One that is in several belongs to the first one, so to the main thread if it is there. */
function threadsOfMessages({ messages, records, advised }: SessionTable, graph: SessionGraph): Uint16Array {
  const threads = new Uint16Array(messages.size).fill(NO_THREAD);
  for (let record = 0; record < graph.parents.length; record++) {
    const message = records.message.at(record);
    if (message !== -1) threads[message] = Math.min(at(threads, message), at(graph.threadOf, record));
  }
  for (const { message, advisors } of advised.list)
    for (const advisor of advisors) threads[advisor] = at(threads, message);
  return threads;
}

const NO_THREAD = 0xffff;

function turnKeys(table: SessionTable, graph: SessionGraph): Uint32Array {
  const { records } = table;
  const turns: number[] = [];
  for (let record = 0; record < records.size; record++)
    if (at(graph.threadOf, record) === 0 && startsTurn(table, graph, record)) turns.push(record);
  const answers = answeredTurns(table, graph);
  const keys = new Uint32Array(turns.length * TURN_WORDS);
  for (const [index, record] of turns.entries()) {
    writeTurnKey(table, graph, record, keys, index * TURN_WORDS);
    const message = answers.get(record);
    if (message !== undefined)
      writeKey(answerKey(table, record, message), keys, index * TURN_WORDS + KEY_WORDS);
  }
  return keys;
}

/** Maximum number of lines between a prompt and its answer: attachments, hooks, lines that the client inserts. */
const MAX_BETWEEN = 16;

/** Record that starts a turn → the first message that answers it. Queued prompts without a line of their own have none. */
export function answeredTurns(table: SessionTable, graph: SessionGraph): Map<number, number> {
  const { records } = table;
  const answers = new Map<number, number>();
  for (let record = 0; record < graph.parents.length; record++) {
    const message = records.message.at(record);
    if (message === -1) continue;
    let up = at(graph.parents, record);
    for (let between = 0; up !== -1 && between < MAX_BETWEEN; between++) {
      const kind = records.kind.at(up);
      if (kind === RecordKind.prompt) {
        if (!answers.has(up)) answers.set(up, message);
        break;
      }
      if (!PASSED.has(kind)) break;
      up = at(graph.parents, up);
    }
  }
  return answers;
}

/** The key that a copy of a prompt under another uuid shares: its text and its answer. */
export function answerKey(
  { records, texts, messageIds }: SessionTable,
  prompt: number,
  message: number,
): string {
  const text = records.link.at(prompt);
  return `${messageIds.wordsOf(message)} ${text === -1 ? "" : texts.wordsOf(text)}`;
}

const PASSED: ReadonlySet<number> = new Set([
  RecordKind.meta,
  RecordKind.metadata,
  RecordKind.system,
  RecordKind.progress,
  RecordKind.attachment,
]);

/** A queued prompt without a line of its own has no uuid (2.0.42–2.1.42): its text and time identify it. */
function writeTurnKey(
  { records, uuids, texts }: SessionTable,
  { queuedTurns }: SessionGraph,
  record: number,
  keys: Uint32Array,
  index: number,
): void {
  const uuid = records.uuid.at(record);
  if (uuid !== -1) {
    uuids.copyWords(uuid, keys, index);
    return;
  }
  const source = queuedTurns.get(record) ?? record;
  const text = records.link.at(source);
  const words = text === -1 ? String(records.offset.at(source)) : texts.wordsOf(text);
  writeKey(`turn ${records.atMs.at(source)} ${words}`, keys, index);
}
