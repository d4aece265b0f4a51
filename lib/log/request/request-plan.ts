import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { fanIn } from "./fan-in";
import { withPreserved } from "./preserved";
import type { RequestIndex } from "./request-index";
import { isAnswer, walkChain } from "./walk-chain";

const NONE = -1;

/** Which records make up a request, and which must be read besides to complete it. */
export type RequestPlan = {
  sent: number[];
  /** The first line of the answer it produced, -1 if it is asked for a record that is no answer. */
  answer: number;
  /** Of an agent whose file has no prompt: the call that gave it one (-1: the client's own warm-up). */
  caller: number | null;
  /** Records of the queue whose texts went out with this request alone. */
  queued: number[];
};

/** The boundary that a request starts behind, -1 for none: `planRequest` wants to see it. */
export function boundaryOf(table: SessionTable, index: RequestIndex, target: number): number {
  const first = walkChain(table, index, target)[0];
  return first !== undefined && table.records.get("kind", first) === RecordKind.compactBoundary
    ? first
    : NONE;
}

/** Plans the request that led to a record: for a line of an answer the one before it, else the one that ends with it. */
export function planRequest(
  table: SessionTable,
  graph: SessionGraph,
  index: RequestIndex,
  target: number,
  boundary: SessionRecord | null,
  withAnswer = false,
): RequestPlan {
  const chain = walkChain(table, index, target, withAnswer);
  const sent = fanIn(table, index, withPreserved(table, index, chain, boundary));
  const answer = isAnswer(table, target) && !withAnswer ? firstLine(table, index, target) : NONE;
  const caller = missingPrompt(table, graph, sent[0] ?? answer);
  return { sent, answer, caller, queued: answer === NONE ? [] : queuedFor(table, sent, answer) };
}

function firstLine({ records }: SessionTable, index: RequestIndex, target: number): number {
  const file = records.get("file", target);
  return (
    index.linesOf(records.get("message", target)).find((line) => records.get("file", line) === file) ?? target
  );
}

/** 2.0.42 and 2.0.50 leave an agent's prompt out of its file: its first line is an answer without a parent. */
function missingPrompt(table: SessionTable, graph: SessionGraph, first: number): number | null {
  if (first === NONE || !isAnswer(table, first)) return null;
  const thread = graph.threads[at(graph.threadOf, first)];
  if (!thread?.agentId || thread.file === 0 || table.records.get("parent", first) !== NONE) return null;
  return thread.call;
}

/** The texts delivered since the answer before the one directly above (2.0.42–2.0.76: they left no line). */
function queuedFor(table: SessionTable, sent: readonly number[], answer: number): number[] {
  const { records } = table;
  const last = sent.findLast(
    (record) => isAnswer(table, record) || records.get("kind", record) === RecordKind.results,
  );
  if (last === undefined || !isAnswer(table, last)) return [];
  const above = records.get("message", last);
  const before =
    sent.findLast((record) => isAnswer(table, record) && records.get("message", record) !== above) ?? NONE;
  return table.queue
    .filter(
      ({ enqueued, delivered }) =>
        delivered > before && delivered < answer && records.get("link", enqueued) !== NONE,
    )
    .map(({ enqueued }) => enqueued);
}
