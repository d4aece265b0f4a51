import type { PricedTokens } from "@/lib/cost/price-table";
import { addTo } from "@/lib/format/lists";
import { comparablePath } from "@/lib/format/text";
import { HashIndex, type HashIndexData } from "./hash-index";
import { Table, type TableData } from "./table";

export const RECORDS = {
  /** Index into the session's files; 0 is the main log. */
  file: Uint16Array,
  offset: Float64Array,
  length: Uint32Array,
  line: Uint32Array,
  kind: Uint8Array,
  flags: Uint16Array,
  /** Epoch milliseconds, NaN without a time. */
  atMs: Float64Array,
  /** Number in `uuids`, -1 for none. */
  uuid: Int32Array,
  parent: Int32Array,
  /**
   * On a compaction boundary the logical parent in `uuids`; on a summary or `last-prompt` its leaf; on a prompt or
   * queued text its number in `texts`; on a line of an answer the `textHash` of its first text; on a hook's attachment
   * its call in `toolIds`; else -1.
   */
  link: Int32Array,
  message: Int32Array,
  firstBlock: Int32Array,
  /** Number in `types`: `user`, `system/turn_duration`, `attachment/file`. */
  type: Uint16Array,
  version: Uint16Array,
  /** Number of image blocks, including those inside results. */
  images: Uint16Array,
  /** How long the line says that it took: a call (on its result), a hook, a compaction. Milliseconds, 0 where it says nothing. */
  tookMs: Uint32Array,
};

export const BLOCKS = {
  record: Int32Array,
  /** Index in the record's content; -1 for the record as a whole. */
  index: Int32Array,
  kind: Uint8Array,
  level: Uint8Array,
  /** The call of a tool use or result, -1 for none. */
  call: Int32Array,
  /** The next result block of the same call, -1 for none. */
  next: Int32Array,
};

export const CALLS = {
  tool: Uint16Array,
  /** The tool-use block, -1 while only a result has been seen. */
  use: Int32Array,
  /** The first result block, -1 for none. */
  result: Int32Array,
  results: Uint16Array,
  state: Uint8Array,
  added: Int32Array,
  removed: Int32Array,
  /** The file that it changed, in `paths`, -1 for none. */
  path: Int32Array,
  /** The file that its input says it is to change, in `paths`; -1 for none, and as soon as a result tells how. */
  target: Int32Array,
  /** In `agentIds`: the agent named by its result, -1 for none. */
  agent: Int32Array,
  /** In `texts`: the prompt that it gives to a sub-agent, -1 for none. */
  prompt: Int32Array,
  /** In `agentTypes`: the requested type of sub-agent, 65,535 for none. */
  agentType: Uint16Array,
  /** 1 when a microcompaction removed its result from the context (2.1.42). */
  cleared: Uint8Array,
  /** 1 when its result only says that an agent was started in the background, whose answer comes later in a notification. */
  launched: Uint8Array,
  /** `Asked`: whether a person had to allow it. */
  asked: Uint8Array,
};

export const MESSAGES = {
  model: Uint16Array,
  /** In `tiers`; the empty name where no line gives one. */
  tier: Uint16Array,
  input: Uint32Array,
  output: Uint32Array,
  cacheWrite: Uint32Array,
  cacheWrite5m: Uint32Array,
  cacheWrite1h: Uint32Array,
  cacheRead: Uint32Array,
  webSearches: Uint16Array,
  webFetches: Uint16Array,
  /** When its first line was written: epoch milliseconds, NaN without a time. */
  atMs: Float64Array,
  /** `Terms` on which it was answered. */
  terms: Uint8Array,
  /** What the client says that it cost (`costUSD`, before 1.0), in millionths of a dollar; 0 where it says nothing. */
  reported: Uint32Array,
};

/** Bits of `MESSAGES.terms`: what changes the price of a request. */
export const Terms = { fast: 1, usOnly: 2 } as const;

/** Values of `CALLS.asked`. `refused`: it never ran. Before 2.1.330 no line says it of a call that ran. */
export const PermissionAsked = { unknown: 0, nobody: 1, person: 2, refused: 3 } as const;

/** A prompt typed while the model worked: its enqueue operation, and the operation that delivered it (-1 if none did). */
export type QueuedText = { enqueued: number; delivered: number };

/** Joins an agent to its call while it runs, or in versions whose result does not name it. */
export type AgentHint = { agentId: string; toolUseId: string };

/**
 * A report of an agent's end, with the client's term for its state (`completed`, `failed`, `killed`). `brings`: the
 * record is part of the conversation and contains the answer.
 */
export type AgentEnd = {
  agentId: string | null;
  toolUseId: string | null;
  record: number;
  status: string;
  brings: boolean;
};

/** The passes in which the API made a message (`usage.iterations`, 2.1.330), where there were several. */
export type MessagePasses = { message: number; passes: PricedTokens[] };

/**
 * The passes of an advisor in a message (`advisor_message`, 2.1.330): each is a message of its own, since it has a model
 * of its own and the usage of the message leaves it out. No record is a line of one.
 */
export type AdvisedMessage = { message: number; advisors: number[] };

/**
 * A call whose id another file has, too: a forked or resumed agent's log repeats lines of the log that it goes on from.
 * `id`: in `toolIds`. The call of the first of these files is the one in `callOfId`.
 */
export type CopiedCall = { id: number; file: number; call: number };

export type SessionTableData = {
  records: TableData<typeof RECORDS>;
  blocks: TableData<typeof BLOCKS>;
  calls: TableData<typeof CALLS>;
  messages: TableData<typeof MESSAGES>;
  uuids: HashIndexData;
  messageIds: HashIndexData;
  toolIds: HashIndexData;
  texts: HashIndexData;
  tools: string[];
  models: string[];
  tiers: string[];
  paths: string[];
  types: string[];
  versions: string[];
  agentIds: string[];
  agentTypes: string[];
  queue: QueuedText[];
  agentHints: AgentHint[];
  notices: AgentEnd[];
  passes: MessagePasses[];
  advised: AdvisedMessage[];
  /** The total that the client last wrote of the session (`cost-state`, 2.1.330), in millionths of a dollar: one or none. */
  clientCosts: number[];
  /** Number in `toolIds` → call. */
  callOfId: number[];
  copies: CopiedCall[];
};

/**
 * The skeleton of a session: every record of all its files as numbers, without content. The content of a row
 * is read from the log by offset on demand. Append-only; the graph is built from it.
 */
export class SessionTable {
  readonly records: Table<typeof RECORDS>;
  readonly blocks: Table<typeof BLOCKS>;
  readonly calls: Table<typeof CALLS>;
  readonly messages: Table<typeof MESSAGES>;
  readonly uuids: HashIndex;
  readonly messageIds: HashIndex;
  readonly toolIds: HashIndex;
  readonly texts: HashIndex;
  readonly tools: StringTable;
  readonly models: StringTable;
  readonly tiers: StringTable;
  readonly paths: StringTable;
  readonly types: StringTable;
  readonly versions: StringTable;
  readonly agentIds: StringTable;
  readonly agentTypes: StringTable;
  readonly queue: QueuedText[];
  readonly agentHints: AgentHint[];
  readonly notices: AgentEnd[];
  readonly passes: MessagePasses[];
  readonly advised: AdvisedMessage[];
  readonly clientCosts: number[];
  readonly callOfId: number[];
  readonly copies: CopiedCall[];
  /** The last result block of calls that have more than one. Not part of the data: it can be recomputed. */
  readonly lastResults = new Map<number, number>();
  /** Agent and call of every hint: thousands of progress lines repeat the same one. Not part of the data. */
  readonly hinted: Set<string>;
  /** By id and file. Not part of the data: derived from `copies`, as the next. */
  readonly #copyOf = new Map<number, number>();
  readonly #copied = new Set<number>();
  /** By message. Not part of the data: derived from `passes`. */
  readonly #passesOf = new Map<number, MessagePasses>();
  /** By message. Not part of the data: derived from `advised`. */
  readonly #advisedOf = new Map<number, AdvisedMessage>();
  /** By file: each log tells of the queue of its own thread. Not part of the data: derived from `queue`. */
  readonly #waiting = new Map<number, WaitingTexts>();

  constructor(data?: SessionTableData) {
    this.records = new Table(RECORDS, data?.records);
    this.blocks = new Table(BLOCKS, data?.blocks);
    this.calls = new Table(CALLS, data?.calls);
    this.messages = new Table(MESSAGES, data?.messages);
    this.uuids = new HashIndex(data?.uuids);
    this.messageIds = new HashIndex(data?.messageIds);
    this.toolIds = new HashIndex(data?.toolIds);
    this.texts = new HashIndex(data?.texts);
    this.tools = new StringTable(data?.tools);
    this.models = new StringTable(data?.models);
    this.tiers = new StringTable(data?.tiers);
    this.paths = new StringTable(data?.paths, comparablePath);
    this.types = new StringTable(data?.types);
    this.versions = new StringTable(data?.versions);
    this.agentIds = new StringTable(data?.agentIds);
    this.agentTypes = new StringTable(data?.agentTypes);
    this.queue = data?.queue ?? [];
    this.agentHints = data?.agentHints ?? [];
    this.notices = data?.notices ?? [];
    this.passes = data?.passes ?? [];
    this.advised = data?.advised ?? [];
    this.clientCosts = data?.clientCosts ?? [];
    this.callOfId = data?.callOfId ?? [];
    this.copies = data?.copies ?? [];
    for (const copy of this.copies) this.#addCopy(copy);
    this.hinted = new Set(this.agentHints.map(({ agentId, toolUseId }) => `${agentId} ${toolUseId}`));
    for (const entry of this.passes) this.#passesOf.set(entry.message, entry);
    for (const entry of this.advised) this.#advisedOf.set(entry.message, entry);
    for (const entry of this.queue) {
      if (entry.delivered === -1)
        this.waitingIn(this.records.file.at(entry.enqueued)).add(entry, this.records.link.at(entry.enqueued));
    }
  }

  /** The call with an id (in `toolIds`) as a file tells of it: its own one where several files have it. Undefined for none. */
  callIn(file: number, id: number): number | undefined {
    const own = this.copies.length > 0 ? this.#copyOf.get(copyKey(id, file)) : undefined;
    return own ?? this.callOfId[id];
  }

  /** Whether a call was made in the log of another file, and is only repeated in its own: it has a row there, and counts once. */
  isCopy(call: number): boolean {
    return this.#copied.has(call);
  }

  /** All calls with an id (in `toolIds`): the one that was made, and its copies. */
  callsWith(id: number): number[] {
    const made = this.callOfId[id];
    const copies = this.copies.filter((copy) => copy.id === id).map(({ call }) => call);
    return made === undefined ? copies : [made, ...copies];
  }

  /** Notes that a call of this file has the id of another one, whose file is `knownFile`. */
  noteCopy(id: number, call: number, file: number, knownFile: number): void {
    const known = this.callOfId[id];
    const isFirst = known !== undefined && file < knownFile;
    if (isFirst) this.callOfId[id] = call;
    const copy = isFirst ? { id, file: knownFile, call: known } : { id, file, call };
    this.copies.push(copy);
    this.#addCopy(copy);
  }

  #addCopy({ id, file, call }: CopiedCall): void {
    this.#copyOf.set(copyKey(id, file), call);
    this.#copied.add(call);
  }

  /** The passes of a message; undefined for one that was made in one. */
  passesOf(message: number): readonly PricedTokens[] | undefined {
    return this.#passesOf.get(message)?.passes;
  }

  /** Notes the passes of a message. Its lines repeat them: the last ones hold, since a line may have been written before the end. */
  notePasses(message: number, passes: PricedTokens[]): void {
    const known = this.#passesOf.get(message);
    if (known) {
      known.passes = passes;
      return;
    }
    const noted = { message, passes };
    this.#passesOf.set(message, noted);
    this.passes.push(noted);
  }

  /** The messages of the advisor that answered while this one was made, in their order. */
  advisorsOf(message: number): readonly number[] {
    return this.#advisedOf.get(message)?.advisors ?? NO_MESSAGES;
  }

  /** Notes that a message is an advisor's pass of another one; again for each of that one's lines. */
  noteAdvisor(message: number, advisor: number): void {
    const known = this.#advisedOf.get(message);
    if (known) {
      if (!known.advisors.includes(advisor)) known.advisors.push(advisor);
      return;
    }
    const noted = { message, advisors: [advisor] };
    this.#advisedOf.set(message, noted);
    this.advised.push(noted);
  }

  /** Texts that are queued in a file and not delivered yet. */
  waitingIn(file: number): WaitingTexts {
    const known = this.#waiting.get(file) ?? new WaitingTexts();
    this.#waiting.set(file, known);
    return known;
  }

  /** A copy without spare capacity, to be sent to another thread. */
  toData(): SessionTableData {
    return {
      records: this.records.trimmed(),
      blocks: this.blocks.trimmed(),
      calls: this.calls.trimmed(),
      messages: this.messages.trimmed(),
      uuids: this.uuids.trimmed(),
      messageIds: this.messageIds.trimmed(),
      toolIds: this.toolIds.trimmed(),
      texts: this.texts.trimmed(),
      tools: this.tools.list,
      models: this.models.list,
      tiers: this.tiers.list,
      paths: this.paths.list,
      types: this.types.list,
      versions: this.versions.list,
      agentIds: this.agentIds.list,
      agentTypes: this.agentTypes.list,
      queue: this.queue,
      agentHints: this.agentHints,
      notices: this.notices,
      passes: this.passes,
      advised: this.advised,
      clientCosts: this.clientCosts,
      callOfId: this.callOfId.slice(),
      copies: this.copies.slice(),
    };
  }
}

const NO_MESSAGES: readonly number[] = [];

/** Records number their files with 16 bits. */
const FILES = 1 << 16;

function copyKey(id: number, file: number): number {
  return id * FILES + file;
}

/** What the model needs to know about a session's files. File 0 is the main log; all others are agents' logs. */
export type SessionLog = {
  /** Identifies the file in record ids: `m`, or eight hex digits. */
  key: string;
  /** From the file's name; `null` for the main log. */
  agentId: string | null;
  /** For an agent in `subagents/workflows/<run>/` (2.1.330): the run, which the workflow's call names too. */
  runId?: string | null;
  /** From `agent-<id>.meta.json` (2.1.110 and later). */
  meta: { toolUseId: string | null; agentType: string | null; description: string | null } | null;
};

/** Texts that are queued and not delivered yet, oldest first; found by the number of their text without a search. */
export class WaitingTexts {
  readonly #all = new Set<QueuedText>();
  readonly #byText = new Map<number, QueuedText[]>();

  /** @param text number of its text, -1 if it is not a prompt */
  add(entry: QueuedText, text: number): void {
    this.#all.add(entry);
    addTo(this.#byText, text, entry);
  }

  /** Removes the oldest entry with this text, else the oldest of all; `null` when nothing is queued. */
  take(text: number | null): QueuedText | null {
    const entry = (text === null ? undefined : this.#oldest(text)) ?? this.#all.values().next().value;
    if (!entry) return null;
    this.#all.delete(entry);
    return entry;
  }

  /** Removes all entries, and returns them. */
  takeAll(): Set<QueuedText> {
    const taken = new Set(this.#all);
    this.#all.clear();
    this.#byText.clear();
    return taken;
  }

  #oldest(text: number): QueuedText | undefined {
    const same = this.#byText.get(text);
    while (same && same.length > 0) {
      const entry = same.shift();
      if (entry && this.#all.has(entry)) return entry;
    }
    return undefined;
  }
}

/**
 * What the first pass of a message was sent and made: all of a message that was made in one. What its request found in
 * the cache is what this pass read.
 */
export function firstPass(table: SessionTable, message: number): PricedTokens {
  return table.passesOf(message)?.[0] ?? countsOf(table, message);
}

/** The same of the last pass, which was sent what those before it had made: with it the context is as full as it gets. */
export function lastPass(table: SessionTable, message: number): PricedTokens {
  return table.passesOf(message)?.at(-1) ?? countsOf(table, message);
}

function countsOf({ messages }: SessionTable, message: number): PricedTokens {
  return {
    input: messages.input.at(message),
    output: messages.output.at(message),
    cacheRead: messages.cacheRead.at(message),
    cacheWrite: messages.cacheWrite.at(message),
    cacheWrite5m: messages.cacheWrite5m.at(message),
    cacheWrite1h: messages.cacheWrite1h.at(message),
  };
}

/** How many tokens the context of a message holds: all that its last pass was sent, from the cache and not. */
export function contextTokens(table: SessionTable, message: number): number {
  const { input, cacheRead, cacheWrite } = lastPass(table, message);
  return input + cacheRead + cacheWrite;
}

/** The blocks of a record, as row numbers of `table.blocks`. */
export function* blocksOf(table: SessionTable, record: number): Generator<number> {
  const { blocks, records } = table;
  for (
    let block = records.firstBlock.at(record);
    block < blocks.size && blocks.record.at(block) === record;
    block++
  )
    yield block;
}

/** A small set of distinct strings (tool names, models, paths), each stored once and identified by a number. */
export class StringTable {
  readonly list: string[];
  readonly #indexOf = new Map<string, number>();
  readonly #keyOf: (name: string) => string;

  /** @param keyOf equal for names that stand for the same: the first one counts */
  constructor(list: string[] = [], keyOf = (name: string) => name) {
    this.list = list;
    this.#keyOf = keyOf;
    for (const [index, name] of list.entries())
      if (!this.#indexOf.has(keyOf(name))) this.#indexOf.set(keyOf(name), index);
  }

  intern(name: string): number {
    const key = this.#keyOf(name);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    const index = this.list.push(name) - 1;
    this.#indexOf.set(key, index);
    return index;
  }

  at(index: number): string | null {
    return this.list[index] ?? null;
  }
}

const NONE = -1;

/** Whether the log says how many lines a call changed: without a patch it only says in which file. */
export function hasLineCounts({ calls }: SessionTable, call: number): boolean {
  return calls.path.at(call) !== NONE && calls.target.at(call) === NONE;
}

/**
 * Orders calls by position: file, then line. Their numbers only give the order of reading, and several files may be
 * read in turn. A call without any block comes first.
 */
export function compareCalls(table: SessionTable, one: number, other: number): number {
  const [a, b] = [firstBlock(table, one), firstBlock(table, other)];
  return fileOf(table, a) - fileOf(table, b) || a - b;
}

function firstBlock({ calls }: SessionTable, call: number): number {
  if (call === NONE) return NONE;
  const [use, result] = [calls.use.at(call), calls.result.at(call)];
  if (use === NONE || result === NONE) return Math.max(use, result);
  return Math.min(use, result);
}

function fileOf({ records, blocks }: SessionTable, block: number): number {
  return block === NONE ? NONE : records.file.at(blocks.record.at(block));
}
