import { isFailure } from "@/lib/log/table/is-failure";
import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Activity } from "@/lib/wire/library";
import type { SessionGraph } from "./session-graph";

const SLICES = 30;
const FULLEST = 9;

/** The session in 30 equal slices of its time: how much was written, where it failed, compacted or ran agents. */
export function sessionActivity(table: SessionTable, graph: SessionGraph): Activity | null {
  const { records, calls, blocks } = table;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let record = 0; record < records.size; record++) {
    const ms = records.get("atMs", record);
    if (ms < first) first = ms;
    if (ms > last) last = ms;
  }
  if (first > last) return null;
  const sliceOf = (record: number) => {
    const ms = records.get("atMs", record);
    return Number.isNaN(ms)
      ? -1
      : Math.min(SLICES - 1, Math.floor(((ms - first) / Math.max(1, last - first)) * SLICES));
  };
  const written = new Array<number>(SLICES).fill(0);
  const errors = new Set<number>();
  const compactions = new Set<number>();
  const agents = new Set<number>();
  for (let record = 0; record < graph.parents.length; record++) {
    const slice = sliceOf(record);
    if (slice === -1 || !(records.get("flags", record) & Flag.node)) continue;
    written[slice] = (written[slice] as number) + 1;
    if (records.get("kind", record) === RecordKind.compactBoundary) compactions.add(slice);
    const thread = graph.threads[at(graph.threadOf, record)];
    if (thread?.agentId && !thread.internal) agents.add(slice);
  }
  for (let call = 0; call < calls.size; call++) {
    const use = calls.get("use", call);
    if (use !== -1 && isFailure(calls.get("state", call))) errors.add(sliceOf(blocks.get("record", use)));
  }
  errors.delete(-1);
  const fullest = Math.max(1, ...written);
  const sorted = (slices: Set<number>) => [...slices].sort((a, b) => a - b);
  return {
    density: written.map((n) => Math.ceil((n / fullest) * FULLEST)),
    errors: sorted(errors),
    compactions: sorted(compactions),
    agents: sorted(agents),
  };
}
