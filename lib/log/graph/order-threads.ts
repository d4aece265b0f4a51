import { compareCalls } from "@/lib/log/table/call-place";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Thread, Threads } from "./threads";

const NONE = -1;
const LANES = 8;

/** Numbers the threads by when they appear (the main one stays 0), and gives agents their depth and lane. */
export function orderThreads(table: SessionTable, { list, of }: Threads): Threads {
  const times = startTimes(table, { list, of });
  const agents = list.map((_, thread) => thread).slice(1);
  const callOf = (thread: number) => list[thread]?.call ?? NONE;
  agents.sort(
    (a, b) =>
      (times[a] as number) - (times[b] as number) ||
      compareCalls(table, callOf(a), callOf(b)) ||
      compareFiles(list, a, b),
  );
  const order = [0, ...agents];
  const place = new Uint16Array(list.length);
  for (const [index, thread] of order.entries()) place[thread] = index;
  const placed = {
    list: order.map((thread) => list[thread] as Thread),
    of: of.map((thread) => at(place, thread)),
  };
  placeAgents(table, placed);
  return placed;
}

/** When each thread's call was made, or else its first record written; last if neither tells. */
function startTimes(table: SessionTable, { list, of }: Threads): Float64Array {
  const { records, calls, blocks } = table;
  const times = new Float64Array(list.length).fill(Number.POSITIVE_INFINITY);
  for (let record = 0; record < records.size; record++) {
    const ms = records.get("atMs", record);
    const thread = at(of, record);
    if (ms < at(times, thread)) times[thread] = ms;
  }
  const sharing = new Map<number, number>();
  for (const { call } of list) sharing.set(call, (sharing.get(call) ?? 0) + 1);
  for (const [index, { call }] of list.entries()) {
    const use = call === NONE ? NONE : calls.get("use", call);
    const ms = use === NONE ? Number.NaN : records.get("atMs", blocks.get("record", use));
    // The agents of a workflow share their call: their own times tell them apart.
    if (!Number.isNaN(ms) && sharing.get(call) === 1) times[index] = ms;
  }
  return times;
}

/** Sidechains of the main log as they stand there; files by their agents' names: new ones are numbered as they come. */
function compareFiles(list: readonly Thread[], a: number, b: number): number {
  const [one, other] = [list[a], list[b]];
  if (!one || !other || one.file === 0 || other.file === 0) return a - b;
  const [left, right] = [one.agentId ?? "", other.agentId ?? ""];
  return left < right ? -1 : left > right ? 1 : a - b;
}

function placeAgents(table: SessionTable, { list, of }: Threads): void {
  let lane = 0;
  for (const thread of list) {
    if (thread.agentId === null || thread.internal) continue;
    thread.lane = (lane++ % LANES) + 1;
    thread.depth = 1;
    const seen = new Set([thread]);
    let parent = callerOf(table, of, list, thread);
    while (parent && parent.agentId !== null && !seen.has(parent)) {
      seen.add(parent);
      thread.depth += 1;
      parent = callerOf(table, of, list, parent);
    }
  }
}

function callerOf(table: SessionTable, of: Uint16Array, list: Thread[], thread: Thread): Thread | null {
  if (thread.call === NONE) return null;
  const use = table.calls.get("use", thread.call);
  return use === NONE ? null : (list[at(of, table.blocks.get("record", use))] ?? null);
}
