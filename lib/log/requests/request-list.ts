import { endsStep, type InSteps } from "@/lib/format/in-steps";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { cutAtResume } from "@/lib/log/request/cut-answer";
import { fanIn, withPreserved } from "@/lib/log/request/request-plan";
import { isApiError, type RequestIndex, walkUp } from "@/lib/log/request/walk-chain";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/** A request to the model, by its answer. */
export type SentRequest = {
  message: number;
  /** The first line of its answer. */
  record: number;
  thread: number;
  /** Index of the request that it continues, -1 for the first of a conversation. */
  before: number;
  /** The compaction between the two, -1 for none. */
  boundary: number;
  /**
   * What it sends that the request before did not, in order: that one's answer, results, prompts. After a boundary
   * everything that it sends.
   */
  added: number[];
  /** When it was sent, as far as the log tells: epoch milliseconds, NaN where no line has a time. */
  sentMs: number;
};

/**
 * The requests of a session, its agents' included, in the order of time. Each is described by what it adds to the one
 * before, so that all of them together take one walk over the records.
 * @param boundary the line of a compaction, read before
 */
export function* listRequests(
  table: SessionTable,
  graph: SessionGraph,
  index: RequestIndex,
  boundary: (record: number) => SessionRecord | null,
): InSteps<SentRequest[]> {
  const { messages, records } = table;
  const found: (SentRequest & { above: number })[] = [];
  for (let message = 0; message < messages.size; message++) {
    if (endsStep(message)) yield;
    const record = index
      .linesOf(message)
      .find((line) => line < graph.parents.length && records.kind.at(line) === RecordKind.assistant);
    if (record === undefined) continue;
    const { top, between } = segmentAbove(table, index, record, message);
    const isBoundary = top !== NONE && records.kind.at(top) === RecordKind.compactBoundary;
    const above = isBoundary ? answerAbove(table, graph, top) : top;
    const chain = top === NONE ? between : [top, ...between];
    const whole = fanIn(table, index, isBoundary ? withPreserved(table, index, chain, boundary(top)) : chain);
    const { sent } = cutAtResume(table, index, whole);
    found.push({
      message,
      record,
      thread: at(graph.threadOf, record),
      before: NONE,
      above: above === NONE ? NONE : records.message.at(above),
      boundary: isBoundary ? top : NONE,
      // 2.1.29, 2.1.42: the first attempt at an answer that was retried is not sent.
      added: sent.filter((one) => !graph.retriedMessages.has(records.message.at(one))),
      sentMs: sentAt(table, between, record),
    });
  }
  yield;
  const timeOf = (message: number) => messages.atMs.at(message) || 0;
  found.sort((a, b) => timeOf(a.message) - timeOf(b.message) || a.record - b.record);
  yield;
  const places = new Map(found.map(({ message }, place) => [message, place]));
  yield;
  return found.map(({ above, ...request }) => ({ ...request, before: places.get(above) ?? NONE }));
}

/** Each request after the one that it continues: the order of time, unless a log's times are wrong. */
export function inChainOrder(requests: readonly SentRequest[]): number[] {
  const order: number[] = [];
  const done = new Uint8Array(requests.length);
  for (let start = 0; start < requests.length; start++) {
    const chain: number[] = [];
    for (let at = start; at !== -1 && !done[at]; at = requests[at]?.before ?? -1) {
      done[at] = 1;
      chain.push(at);
    }
    for (const one of chain.reverse()) order.push(one);
  }
  return order;
}

/** The records between an answer and what it continues: the nearest line of another answer, or a compaction. */
function segmentAbove(
  table: SessionTable,
  index: RequestIndex,
  first: number,
  message: number,
): { top: number; between: number[] } {
  const { records } = table;
  let between: number[] = [];
  for (const record of walkUp(table, index, first)) {
    const kind = records.kind.at(record);
    if (records.message.at(record) === message) between = [];
    else if (kind === RecordKind.compactBoundary) return { top: record, between: between.reverse() };
    else if (kind === RecordKind.assistant && !isApiError(table, record))
      return { top: record, between: between.reverse() };
    else between.push(record);
  }
  return { top: NONE, between: between.reverse() };
}

/** The last answer before a compaction. */
function answerAbove({ records }: SessionTable, { parents }: SessionGraph, boundary: number): number {
  for (let record = at(parents, boundary); record !== NONE; record = at(parents, record))
    if (records.kind.at(record) === RecordKind.assistant) return record;
  return NONE;
}

/** A request is sent once the last of what it adds is there. */
function sentAt({ records }: SessionTable, between: readonly number[], answer: number): number {
  let latest = Number.NaN;
  for (const record of between) {
    const ms = records.atMs.at(record);
    if (!(ms <= latest) && !Number.isNaN(ms)) latest = ms;
  }
  const answered = records.atMs.at(answer);
  return latest <= answered ? latest : answered;
}
