import type { Column } from "@/lib/log/table/column";
import { BlockKind, Flag, isDenied, isFailure, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { StringTable } from "@/lib/log/table/string-table";
import { at } from "@/lib/log/table/table";
import type { Activity, Usage } from "@/lib/wire/library";
import type { SessionCounts } from "@/lib/wire/session";
import { type SessionGraph, startsTurn } from "./session-graph";

/** Counts of a session over all its files. Each message counts once, however many lines repeat it; `records` counts lines, duplicates included. */
export function countSession(table: SessionTable, graph: SessionGraph): SessionCounts {
  const { records, blocks, calls } = table;
  let unreadable = 0;
  let unknown = 0;
  let turns = 0;
  let compactions = 0;
  const compacted = new Set<number>();
  for (let record = 0; record < graph.parents.length; record++) {
    const kind = records.kind.at(record);
    if (kind === RecordKind.unreadable) unreadable += 1;
    else if (kind === RecordKind.unknown) unknown += 1;
    else if (kind === RecordKind.compactBoundary) {
      const uuid = records.uuid.at(record);
      // The client's agent that makes a summary repeats the one before it (2.1.90).
      if (uuid === -1 || !compacted.has(uuid)) compactions += 1;
      compacted.add(uuid);
    }
    if (at(graph.threadOf, record) === 0 && startsTurn(table, graph, record)) turns += 1;
  }
  let thinking = 0;
  for (let block = 0; block < blocks.size; block++) {
    if (blocks.kind.at(block) === BlockKind.thinking && !graph.duplicates.has(blocks.record.at(block)))
      thinking += 1;
  }
  const toolCallsByName: Record<string, number> = Object.create(null);
  const paths = new Set<number>();
  let toolCalls = 0;
  let toolErrors = 0;
  let toolsDenied = 0;
  for (let call = 0; call < calls.size; call++) {
    if (calls.use.at(call) === -1 || table.isCopy(call)) continue;
    toolCalls += 1;
    const name = table.tools.at(calls.tool.at(call)) ?? "";
    toolCallsByName[name] = (toolCallsByName[name] ?? 0) + 1;
    const state = calls.state.at(call);
    if (isFailure(state)) toolErrors += 1;
    if (isDenied(state)) toolsDenied += 1;
    if (calls.path.at(call) !== -1) paths.add(calls.path.at(call));
  }
  const agents = graph.threads.filter((thread) => thread.agentId !== null && !thread.internal).length;
  return {
    records: records.size - unreadable,
    unreadable,
    unknown,
    turns,
    messages: table.messages.size,
    toolCalls,
    toolCallsByName,
    toolErrors,
    toolsDenied,
    thinking,
    images: countImages(table, graph),
    compactions,
    branches: graph.branches[0]?.length ?? 0,
    agents,
    files: paths.size,
  };
}

function countImages({ images }: SessionTable, { parents, duplicates }: SessionGraph): number {
  let count = 0;
  for (let place = 0; place < images.size && images.row.at(place) < parents.length; place++)
    if (!duplicates.has(images.row.at(place))) count += images.value.at(place);
  return count;
}

/** Zero usage, to add to. */
export function noUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheWrite: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    cacheRead: 0,
    webSearches: 0,
    webFetches: 0,
  };
}

/** Tokens of a session, agents included. */
export function sumUsage({ messages }: SessionTable): Usage {
  const usage = noUsage();
  for (const name of Object.keys(usage) as (keyof Usage)[]) {
    const column = messages[name];
    let sum = 0;
    for (let message = 0; message < messages.size; message++) sum += column.at(message);
    usage[name] = sum;
  }
  return usage;
}

/** Models by number of messages, most first. Lines that the client wrote itself name none. */
export function modelsOf({ messages, models }: SessionTable): string[] {
  const uses = new Map<string, number>();
  for (let message = 0; message < messages.size; message++) {
    const model = models.at(messages.model.at(message)) ?? "";
    if (model && model !== "<synthetic>") uses.set(model, (uses.get(model) ?? 0) + 1);
  }
  // Ties are sorted by name: the order of messages depends on how a session's files have grown.
  return [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([model]) => model);
}

/** Number of messages per service tier; messages without a tier are left out. */
export function serviceTiersOf({ messages, tiers }: SessionTable): Record<string, number> {
  return countNames(tiers, messages.tier, messages.size);
}

/** Number of records per client version; lines without a version are the client's metadata and are left out. */
export function versionsOf({ records, versions }: SessionTable): Record<string, number> {
  return countNames(versions, records.version, records.size);
}

/** How often a column's first `size` rows hold each name; the empty one is left out. */
function countNames(names: StringTable, column: Column, size: number): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  for (let row = 0; row < size; row++) {
    const name = names.at(column.at(row));
    if (name) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const SLICES = 30;
const MAX_LEVEL = 9;

/**
 * The session in 30 equal slices of its time: how much was written, and where it failed, compacted or ran agents. What
 * was refused has not failed.
 */
export function sessionActivity(table: SessionTable, graph: SessionGraph): Activity | null {
  const { records, calls, blocks } = table;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let record = 0; record < records.size; record++) {
    const ms = records.atMs.at(record);
    if (ms < first) first = ms;
    if (ms > last) last = ms;
  }
  if (first > last) return null;
  const sliceOf = (record: number) => {
    const ms = records.atMs.at(record);
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
    if (slice === -1 || !(records.flags.at(record) & Flag.node)) continue;
    written[slice] = (written[slice] as number) + 1;
    if (records.kind.at(record) === RecordKind.compactBoundary) compactions.add(slice);
    const thread = graph.threads[at(graph.threadOf, record)];
    if (thread?.agentId && !thread.internal) agents.add(slice);
  }
  for (let call = 0; call < calls.size; call++) {
    const use = calls.use.at(call);
    const state = calls.state.at(call);
    if (use !== -1 && isFailure(state) && !isDenied(state)) errors.add(sliceOf(blocks.record.at(use)));
  }
  errors.delete(-1);
  const fullest = Math.max(1, ...written);
  const sorted = (slices: Set<number>) => [...slices].sort((a, b) => a - b);
  return {
    density: written.map((n) => Math.ceil((n / fullest) * MAX_LEVEL)),
    errors: sorted(errors),
    compactions: sorted(compactions),
    agents: sorted(agents),
  };
}
