import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { CONVERSATION } from "@/lib/log/graph/steps";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type CutAnswer, cutAtResume } from "./cut-answer";
import { isAnswer, type RequestIndex, walkChain } from "./walk-chain";

const NONE = -1;

/** The records that make up a request, and those that must also be read to complete it. */
export type RequestPlan = {
  sent: number[];
  /** The first line of the answer it produced, -1 if the target record is not an answer. */
  answer: number;
  /** For an agent whose file has no prompt: the call that gave it one (-1: the client's own warm-up). */
  caller: number | null;
  /** Records of the queue whose texts were sent with this request only. */
  queued: number[];
  /** The answer in whose middle the client went on, `null` where it did not. */
  cut: CutAnswer | null;
};

/** The boundary that a request starts after, -1 for none: `planRequest` needs its record. */
export function boundaryOf(table: SessionTable, index: RequestIndex, target: number): number {
  const first = walkChain(table, index, target)[0];
  return first !== undefined && table.records.kind.at(first) === RecordKind.compactBoundary ? first : NONE;
}

/**
 * Plans the request that led to a record: for a line of an answer the one before it, else the one that ends with it.
 * `boundary`: the record of `boundaryOf`, null where there is none. `withAnswer` keeps an answer itself: what would
 * be sent next.
 */
export function planRequest(
  table: SessionTable,
  graph: SessionGraph,
  index: RequestIndex,
  target: number,
  { boundary, withAnswer = false }: { boundary: SessionRecord | null; withAnswer?: boolean },
): RequestPlan {
  const chain = walkChain(table, index, target, withAnswer);
  const whole = fanIn(table, index, withPreserved(table, index, chain, boundary));
  const { sent, cut } = cutAtResume(table, index, whole);
  const answer = isAnswer(table, target) && !withAnswer ? firstLine(table, index, target) : NONE;
  const caller = missingPrompt(table, graph, sent[0] ?? answer);
  return { sent, answer, caller, queued: answer === NONE ? [] : queuedFor(table, sent, answer), cut };
}

function firstLine({ records }: SessionTable, index: RequestIndex, target: number): number {
  const file = records.file.at(target);
  return index.linesOf(records.message.at(target)).find((line) => records.file.at(line) === file) ?? target;
}

/**
 * 2.0.42 and 2.0.50 leave an agent's prompt out of its file: its first line is an answer without a parent. In 2.1.5 that
 * of an agent which the client warms up names a parent that no file has.
 */
function missingPrompt(table: SessionTable, graph: SessionGraph, first: number): number | null {
  if (first === NONE || !isAnswer(table, first)) return null;
  const thread = graph.threads[at(graph.threadOf, first)];
  if (!thread?.agentId || thread.file === 0) return null;
  const beginsFile = table.records.parent.at(first) === NONE || table.records.line.at(first) === 1;
  return beginsFile ? thread.call : null;
}

/** The texts delivered since the answer before the one directly above (2.0.42–2.0.76: they have no line). */
function queuedFor(table: SessionTable, sent: readonly number[], answer: number): number[] {
  const { records } = table;
  const last = sent.findLast(
    (record) => isAnswer(table, record) || records.kind.at(record) === RecordKind.results,
  );
  if (last === undefined || !isAnswer(table, last)) return [];
  const above = records.message.at(last);
  const before =
    sent.findLast((record) => isAnswer(table, record) && records.message.at(record) !== above) ?? NONE;
  return table.queue
    .filter(({ enqueued, delivered }) => {
      const text = records.link.at(enqueued);
      if (text === NONE || delivered <= before || delivered >= answer) return false;
      // With `-p` every prompt passes through the queue, and has a line (2.1.29 and later).
      const hasLine = (record: number) => record > delivered && records.link.at(record) === text;
      return !sent.some((record) => records.kind.at(record) === RecordKind.prompt && hasLine(record));
    })
    .map(({ enqueued }) => enqueued);
}

/**
 * Adds what a walk by parents leaves out: from 2.1.0 on the results of parallel calls have their own calls as parents,
 * beside the chain. Where an answer first appears, all its lines follow, each after its parent and else in file order, then
 * the results of its calls in file order (the order of completion), one for each call. A record is sent once, except a
 * caveat that several commands share (1.0.60).
 */
export function fanIn(table: SessionTable, index: RequestIndex, chain: readonly number[]): number[] {
  const { records } = table;
  let onChain: ReadonlySet<number> | null = null;
  const isOnChain = (record: number) => {
    onChain ??= new Set(chain);
    return onChain.has(record);
  };
  const sent: number[] = [];
  const done = new Set<number>();
  const uuids = new Set<number>();
  const emit = (record: number) => {
    const uuid = records.uuid.at(record);
    if (done.has(record) || (uuid !== NONE && uuids.has(uuid))) return;
    done.add(record);
    if (uuid !== NONE) uuids.add(uuid);
    sent.push(record);
  };
  for (const record of chain) {
    if (done.has(record)) {
      if (records.flags.at(record) & Flag.caveat) sent.push(record);
      continue;
    }
    if (!isAnswer(table, record)) {
      emit(record);
      continue;
    }
    const file = records.file.at(record);
    const message = records.message.at(record);
    const isSent = (line: number) =>
      isOnChain(line) ||
      (records.file.at(line) === file &&
        !(isUnanswered(table, index, line) && hasGoneOnWithout(table, chain, message)));
    const written = index.linesOf(message).filter(isSent);
    const lines = afterParents(table, index, written);
    for (const line of lines) emit(line);
    for (const result of resultsOf(table, index, lines, file)) emit(result);
  }
  return sent;
}

/** Whether a line makes calls, and none of them has a result. */
function isUnanswered({ calls }: SessionTable, index: RequestIndex, line: number): boolean {
  const made = index.callsOf(line);
  return made.length > 0 && made.every((call) => calls.result.at(call) === NONE);
}

/**
 * Whether something else than results of an answer follows it in a chain. A client that was ended in a call, and resumed,
 * goes on without the lines of those that have no result, of several as of one (2.1.90, 2.1.179).
 */
function hasGoneOnWithout({ records }: SessionTable, chain: readonly number[], message: number): boolean {
  for (let place = chain.length - 1; place >= 0; place--) {
    const record = chain[place] as number;
    if (records.message.at(record) === message) return false;
    const kind = records.kind.at(record);
    if (CONVERSATION.has(kind) && kind !== RecordKind.results) return true;
  }
  return false;
}

/** These lines, each after its parent: 2.1.90 may write those of one answer in another order. */
function afterParents(table: SessionTable, index: RequestIndex, lines: readonly number[]): number[] {
  const { records } = table;
  const own = new Set(lines);
  const ordered = new Set<number>();
  for (const line of lines) {
    const above = new Set<number>();
    for (
      let up = line;
      own.has(up) && !ordered.has(up) && !above.has(up);
      up = index.find(records.parent.at(up), up, false)
    )
      above.add(up);
    for (const one of [...above].reverse()) ordered.add(one);
  }
  return [...ordered];
}

function resultsOf(
  table: SessionTable,
  index: RequestIndex,
  lines: readonly number[],
  file: number,
): number[] {
  const found: { result: number; place: number }[] = [];
  for (const line of lines)
    for (const call of index.callsOf(line)) {
      const result = firstResult(table, call, file);
      // 2.1.250 and 2.1.280 may write a result before its call, and before the results of the calls above it.
      if (result !== NONE) found.push({ result, place: Math.max(result, line) });
    }
  // One line may have several results: callers must take each line once.
  return found.sort((a, b) => a.place - b.place).map(({ result }) => result);
}

/** The first line that answers a call, in this file if there is one. */
function firstResult(
  { calls, blocks, records, furtherResults }: SessionTable,
  call: number,
  file: number,
): number {
  let first = NONE;
  for (let block = calls.result.at(call); block !== NONE; block = furtherResults.after(block)) {
    const record = blocks.record.at(block);
    if (records.file.at(record) === file) return record;
    if (first === NONE) first = record;
  }
  return first;
}

/**
 * Puts back the messages that a compaction preserved: they are logged before the boundary and sent directly
 * after its anchor, the summary (2.1.220, 2.1.330), or after the boundary itself for "summarize
 * from here". 2.1.110 names only the two ends of the segment. A /branch copy writes the preserved
 * messages again; then there is nothing to put back.
 */
export function withPreserved(
  table: SessionTable,
  index: RequestIndex,
  chain: readonly number[],
  boundary: SessionRecord | null,
): number[] {
  const metadata = boundary?.kind === "system" ? asObject(boundary.json.compactMetadata) : null;
  const at = chain[0];
  if (!metadata || at === undefined) return [...chain];
  const uuid = (value: unknown) => {
    const text = asString(value);
    return text === null ? NONE : table.uuids.find(text);
  };
  const segment = asObject(metadata.preservedSegment);
  const messages = asObject(metadata.preservedMessages);
  const find = (key: number) => index.find(key, at, false);
  let preserved = asArray(messages?.uuids ?? metadata.preservedMessages).map((one) => find(uuid(one)));
  if (preserved.length === 0 && segment)
    preserved = segmentRecords(table, index, find(uuid(segment.tailUuid)), uuid(segment.headUuid));
  preserved = preserved.filter((record) => record !== NONE);
  const known = new Set(chain);
  if (preserved.length === 0 || preserved.some((record) => known.has(record))) return [...chain];
  const anchor = find(uuid(messages?.anchorUuid ?? segment?.anchorUuid));
  const anchorIndex = chain.indexOf(anchor);
  const behind = anchorIndex === -1 ? 0 : anchorIndex;
  return [...chain.slice(0, behind + 1), ...preserved, ...chain.slice(behind + 1)];
}

function segmentRecords(
  { records }: SessionTable,
  index: RequestIndex,
  tail: number,
  headUuid: number,
): number[] {
  const segment: number[] = [];
  const seen = new Set<number>();
  for (
    let record = tail;
    record !== NONE && !seen.has(record);
    record = index.find(records.parent.at(record), record, false)
  ) {
    seen.add(record);
    segment.push(record);
    if (records.uuid.at(record) === headUuid) return segment.reverse();
  }
  return [];
}
