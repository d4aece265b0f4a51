import { endsStep, type InSteps } from "@/lib/format/in-steps";
import { nodeBefore } from "@/lib/log/adding/summary-boundary";
import { findQueuedBeside } from "@/lib/log/graph/queued-beside";
import { isSpacer } from "@/lib/log/graph/session-graph";
import { findLaterCommands } from "@/lib/log/graph/shared-caveat";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * The records that lead to an answer (or to any other record, which is then the last), oldest first:
 * up the parents to the start or to the last compaction boundary, which is included. What precedes
 * a boundary was not sent again.
 * @param withAnswer keeps the answer itself: what would be sent next
 */
export function walkChain(
  table: SessionTable,
  index: RequestIndex,
  start: number,
  withAnswer = false,
): number[] {
  const { records } = table;
  const message = isAnswer(table, start) && !withAnswer ? records.message.at(start) : NONE;
  let chain: number[] = [];
  for (const record of walkUp(table, index, start)) {
    // An answer's own earlier blocks, and results of tools that ran while it streamed, are not part of its prompt.
    if (message !== NONE && records.message.at(record) === message) chain = [];
    else chain.push(record);
  }
  return chain.reverse();
}

/**
 * The record at the top of a walk up that names a parent which no file of the session has, -1 for none: the
 * history before it may be in another session (2.0.0).
 */
export function danglingTop(table: SessionTable, index: RequestIndex, start: number): number {
  const { records } = table;
  let top = NONE;
  for (const record of walkUp(table, index, start)) {
    if (isSpacer(table, record)) return NONE;
    top = record;
  }
  if (top === NONE || records.kind.at(top) === RecordKind.compactBoundary) return NONE;
  const parent = records.parent.at(top);
  return parent !== NONE && index.find(parent, top, false) === NONE ? top : NONE;
}

/** A record and all above it up to the start or the last compaction boundary. */
export function* walkUp(table: SessionTable, index: RequestIndex, start: number): Generator<number> {
  const { records } = table;
  let ownFileOnly = false;
  const seen = new Set<number>();
  for (let record = start; record !== NONE && !seen.has(record); ) {
    seen.add(record);
    yield record;
    const queued = index.queuedBeside.get(record);
    if (queued !== undefined) yield queued;
    const before = index.laterCommands.get(record);
    if (before !== undefined) {
      // The caveat is sent again ahead of each of its commands.
      yield index.find(records.parent.at(record), record, true);
      record = before;
      continue;
    }
    if (records.kind.at(record) === RecordKind.compactBoundary) return;
    // The real client loses the history before "No response requested." when it is in another file (2.1.29).
    if (isSpacer(table, record)) ownFileOnly = true;
    const parent = index.goesOnFrom.get(record) ?? records.parent.at(record);
    const up = index.find(parent, record, ownFileOnly);
    record = up === NONE && parent !== NONE ? agentLineBefore(table, record) : up;
  }
}

/**
 * The node that stands before one of an agent's file whose parent no file has: what a hook said is one, and has no line
 * there (2.0.76). -1 for the first, and in a session's own log: what is above those is in another session.
 */
function agentLineBefore(table: SessionTable, record: number): number {
  return table.records.file.at(record) === 0 ? NONE : nodeBefore(table, record);
}

/** A line of an answer: written by the model, or by the client in its name. */
export function isAnswer({ records }: SessionTable, record: number): boolean {
  const kind = records.kind.at(record);
  return kind === RecordKind.assistant || kind === RecordKind.synthetic;
}

/** A line that reports a failed API request. It is shown and never sent. */
export function isApiError({ records }: SessionTable, record: number): boolean {
  return (records.flags.at(record) & Flag.apiError) !== 0;
}

/** The look-ups needed to rebuild a request, made once for a table. */
export type RequestIndex = {
  /** The record of a uuid number as seen from `child`: in its own file, else in another file of the session. */
  find(uuid: number, child: number, ownFileOnly: boolean): number;
  /** A later command of a shared caveat (1.0.60) → the preceding node of its file, which the caveat then follows. */
  laterCommands: ReadonlyMap<number, number>;
  /** An interruption → the prompt that was sent ahead of it, which is no line's parent (2.1.332). */
  queuedBeside: ReadonlyMap<number, number>;
  /** The first line of an agent that was given its session's conversation → the uuid number of the last line of that (2.1.332). */
  goesOnFrom: ReadonlyMap<number, number>;
  /** All lines of a message, in file order. */
  linesOf(message: number): readonly number[];
  /** All calls that a line makes. */
  callsOf(record: number): readonly number[];
};

/** Makes the look-ups in one pass over records and calls. */
export function* buildRequestIndex(table: SessionTable): InSteps<RequestIndex> {
  const { records, blocks, calls, messages, uuids } = table;
  const byUuid = new Groups(uuids.size, records.size);
  const lines = new Groups(messages.size, records.size);
  const asked = new Groups(records.size, calls.size);
  const goesOnFrom = new InheritedConversations(table);
  yield;
  // What is added meanwhile is not in it.
  const [recordCount, callCount] = [records.size, calls.size];
  for (let record = 0; record < recordCount; record++) {
    if (endsStep(record)) yield;
    byUuid.add(records.uuid.at(record), record);
    goesOnFrom.add(record);
    const kind = records.kind.at(record);
    if (kind === RecordKind.assistant || kind === RecordKind.synthetic)
      lines.add(records.message.at(record), record);
  }
  for (let call = 0; call < callCount; call++) {
    if (endsStep(call)) yield;
    const use = calls.use.at(call);
    if (use !== NONE) asked.add(blocks.record.at(use), call);
  }
  const find = (uuid: number, child: number, ownFileOnly: boolean) => {
    const file = records.file.at(child);
    let own = NONE;
    let other = NONE;
    for (let record = byUuid.first(uuid); record !== NONE; record = byUuid.after(record)) {
      if (record === child) continue;
      if (records.file.at(record) !== file) other = other === NONE ? record : other;
      // A uuid twice in a file (2.1.330 after /branch): the one written last before the child.
      else if (own === NONE || record < child) own = record;
    }
    return own !== NONE || ownFileOnly ? own : other;
  };
  return {
    find,
    laterCommands: findLaterCommands(table, (uuid, child) => find(uuid, child, true)),
    queuedBeside: findQueuedBeside(table, (record) => find(records.parent.at(record), record, true)),
    goesOnFrom: goesOnFrom.found,
    linesOf: (message) => lines.all(message),
    callsOf: (record) => asked.all(record),
  };
}

/** Agents that begin with their session's conversation, as those of /subtask do: a line ahead of theirs names its end (2.1.332). */
class InheritedConversations {
  readonly #table: SessionTable;
  readonly #type: number;
  readonly #waiting = new Map<number, number>();
  readonly found = new Map<number, number>();

  constructor(table: SessionTable) {
    this.#table = table;
    this.#type = table.types.list.indexOf("fork-context-ref");
  }

  /** Takes the next record of all. */
  add(record: number): void {
    if (this.#type === NONE) return;
    const { records } = this.#table;
    const file = records.file.at(record);
    if (records.type.at(record) === this.#type) this.#waiting.set(file, records.link.at(record));
    const last = this.#waiting.get(file);
    if (last === undefined || !(records.flags.at(record) & Flag.node)) return;
    this.#waiting.delete(file);
    if (records.parent.at(record) === NONE) this.found.set(record, last);
  }
}

/** Rows by a number that they have in common, in the order in which they were added: an array for each would be slow. */
class Groups {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;

  constructor(groups: number, rows: number) {
    this.#first = new Int32Array(groups).fill(NONE);
    this.#last = new Int32Array(groups).fill(NONE);
    this.#next = new Int32Array(rows).fill(NONE);
  }

  /** @param group -1 for none */
  add(group: number, row: number): void {
    if (group === NONE) return;
    const last = at(this.#last, group);
    if (last === NONE) this.#first[group] = row;
    else this.#next[last] = row;
    this.#last[group] = row;
  }

  /** The first row of a group, -1 for none. */
  first(group: number): number {
    return this.#first[group] ?? NONE;
  }

  /** The next row of the same group, -1 for none. */
  after(row: number): number {
    return at(this.#next, row);
  }

  all(group: number): number[] {
    const rows: number[] = [];
    for (let row = this.first(group); row !== NONE; row = this.after(row)) rows.push(row);
    return rows;
  }
}
