import { comparablePath } from "@/lib/format/text";
import { type CopiedCall, CopiedCalls } from "./copied-calls";
import { type FurtherResult, FurtherResults } from "./further-results";
import { HashIndex, type HashIndexData } from "./hash-index";
import {
  type AdvisedMessage,
  AdvisorsByMessage,
  type MessagePasses,
  PassesByMessage,
} from "./message-passes";
import { RARE, type RareValues } from "./rare-values";
import { BLOCKS, CALL_OF_ID, CALLS, MESSAGES, RECORDS } from "./session-columns";
import { type StartedAgent, StartedAgents } from "./started-agents";
import { StringTable } from "./string-table";
import { Table, type TableData } from "./table";
import { type QueuedText, WaitingTexts } from "./waiting-texts";

const NONE = -1;

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

/** What a table is made of, as it goes to another thread and into the index; `SessionTable` is made of it again. */
export type SessionTableData = {
  records: TableData<typeof RECORDS>;
  blocks: TableData<typeof BLOCKS>;
  calls: TableData<typeof CALLS>;
  messages: TableData<typeof MESSAGES>;
  images: TableData<typeof RARE>;
  tookMs: TableData<typeof RARE>;
  callOfId: TableData<typeof CALL_OF_ID>;
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
  startedAgents: StartedAgent[];
  furtherResults: FurtherResult[];
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
  /** By record: number of image blocks, including those inside results. */
  readonly images: RareValues;
  /** By record: how long its line says that it took, in milliseconds: a call (on its result), a hook, a compaction. */
  readonly tookMs: RareValues;
  readonly callOfId: Table<typeof CALL_OF_ID>;
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
  readonly passes: PassesByMessage;
  readonly advised: AdvisorsByMessage;
  readonly clientCosts: number[];
  readonly startedAgents: StartedAgents;
  readonly furtherResults: FurtherResults;
  readonly copies: CopiedCalls;
  /** Agent and call of every hint: thousands of progress lines repeat the same one. Not part of the data. */
  readonly hinted: Set<string>;
  /** By file: each log tells of the queue of its own thread. Not part of the data: derived from `queue`. */
  readonly #waiting = new Map<number, WaitingTexts>();

  constructor(data?: SessionTableData) {
    this.records = new Table(RECORDS, data?.records);
    this.blocks = new Table(BLOCKS, data?.blocks);
    this.calls = new Table(CALLS, data?.calls);
    this.messages = new Table(MESSAGES, data?.messages);
    this.images = new Table(RARE, data?.images);
    this.tookMs = new Table(RARE, data?.tookMs);
    this.callOfId = new Table(CALL_OF_ID, data?.callOfId);
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
    this.passes = new PassesByMessage(data?.passes);
    this.advised = new AdvisorsByMessage(data?.advised);
    this.clientCosts = data?.clientCosts ?? [];
    this.startedAgents = new StartedAgents(data?.startedAgents);
    this.furtherResults = new FurtherResults(data?.furtherResults);
    this.copies = new CopiedCalls(data?.copies);
    this.hinted = new Set(this.agentHints.map(({ agentId, toolUseId }) => `${agentId} ${toolUseId}`));
    for (const entry of this.queue) {
      if (entry.delivered === -1)
        this.waitingIn(this.records.file.at(entry.enqueued)).add(entry, this.records.link.at(entry.enqueued));
    }
  }

  /** The call with an id (in `toolIds`, -1 for one that is not there): the first one that was made. Undefined for none. */
  callOf(id: number): number | undefined {
    if (id === NONE || id >= this.callOfId.size) return undefined;
    const call = this.callOfId.call.at(id);
    return call === NONE ? undefined : call;
  }

  /** Notes the call with an id. */
  noteCall(id: number, call: number): void {
    while (this.callOfId.size <= id) this.callOfId.push({ call: NONE });
    this.callOfId.call.put(id, call);
  }

  /** Id (in `toolIds`) and call, of all ids that have one. */
  *callIds(): Generator<[id: number, call: number]> {
    for (let id = 0; id < this.callOfId.size; id++) {
      const call = this.callOfId.call.at(id);
      if (call !== NONE) yield [id, call];
    }
  }

  /** The call with an id (in `toolIds`) as a file tells of it: its own one where several files have it. Undefined for none. */
  callIn(file: number, id: number): number | undefined {
    return this.copies.in(file, id) ?? this.callOf(id);
  }

  /** Whether a call was made in the log of another file, and is only repeated in its own: it has a row there, and counts once. */
  isCopy(call: number): boolean {
    return this.copies.has(call);
  }

  /** All calls with an id (in `toolIds`): the one that was made, and its copies. */
  callsWith(id: number): number[] {
    const made = this.callOf(id);
    const copies = this.copies.with(id);
    return made === undefined ? copies : [made, ...copies];
  }

  /** Notes that a call of this file has the id of another one, whose file is `knownFile`. */
  noteCopy(id: number, call: number, file: number, knownFile: number): void {
    const known = this.callOf(id);
    const isFirst = known !== undefined && file < knownFile;
    if (isFirst) this.noteCall(id, call);
    this.copies.add(isFirst ? { id, file: knownFile, call: known } : { id, file, call });
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
      images: this.images.trimmed(),
      tookMs: this.tookMs.trimmed(),
      callOfId: this.callOfId.trimmed(),
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
      passes: this.passes.list,
      advised: this.advised.list,
      clientCosts: this.clientCosts,
      startedAgents: this.startedAgents.list.map((one) => ({ ...one })),
      furtherResults: this.furtherResults.list.slice(),
      copies: this.copies.list.slice(),
    };
  }
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
