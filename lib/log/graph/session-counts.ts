import { isFailure } from "@/lib/log/table/is-failure";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionCounts } from "@/lib/wire/session";
import type { Usage } from "@/lib/wire/totals";
import type { SessionGraph } from "./session-graph";
import { startsTurn } from "./starts-turn";

/** Counts of a session over all its files. Each message counts once, however many lines repeat it; `records` are lines, copies included. */
export function countSession(table: SessionTable, graph: SessionGraph): SessionCounts {
  const { records, blocks, calls } = table;
  let unreadable = 0;
  let unknown = 0;
  let turns = 0;
  let compactions = 0;
  let images = 0;
  for (let record = 0; record < graph.parents.length; record++) {
    const kind = records.get("kind", record);
    if (!graph.copies.has(record)) images += records.get("images", record);
    if (kind === RecordKind.unreadable) unreadable += 1;
    else if (kind === RecordKind.unknown) unknown += 1;
    else if (kind === RecordKind.compactBoundary) compactions += 1;
    if (at(graph.threadOf, record) === 0 && startsTurn(table, graph, record)) turns += 1;
  }
  let thinking = 0;
  for (let block = 0; block < blocks.size; block++) {
    if (blocks.get("kind", block) === BlockKind.thinking && !graph.copies.has(blocks.get("record", block)))
      thinking += 1;
  }
  const toolCallsByName: Record<string, number> = Object.create(null);
  const paths = new Set<number>();
  let toolCalls = 0;
  let toolErrors = 0;
  for (let call = 0; call < calls.size; call++) {
    if (calls.get("use", call) === -1) continue;
    toolCalls += 1;
    const name = table.tools.at(calls.get("tool", call)) ?? "";
    toolCallsByName[name] = (toolCallsByName[name] ?? 0) + 1;
    if (isFailure(calls.get("state", call))) toolErrors += 1;
    if (calls.get("path", call) !== -1) paths.add(calls.get("path", call));
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
    thinking,
    images,
    compactions,
    branches: graph.branches[0]?.length ?? 0,
    agents,
    files: paths.size,
  };
}

/** The usage of nothing, to add to. */
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
  for (let message = 0; message < messages.size; message++) {
    for (const name of Object.keys(usage) as (keyof Usage)[]) usage[name] += messages.get(name, message);
  }
  return usage;
}

/** Models by how many messages they wrote, most first. Lines the client made itself name none. */
export function modelsOf({ messages, models }: SessionTable): string[] {
  const uses = new Map<string, number>();
  for (let message = 0; message < messages.size; message++) {
    const model = models.at(messages.get("model", message)) ?? "";
    if (model && model !== "<synthetic>") uses.set(model, (uses.get(model) ?? 0) + 1);
  }
  // Equals by name: the order of messages depends on how a session's files have grown.
  return [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([model]) => model);
}

/** Messages by the service tier that answered them; those whose lines name none count nowhere. */
export function serviceTiersOf({ messages, tiers }: SessionTable): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  for (let message = 0; message < messages.size; message++) {
    const tier = tiers.at(messages.get("tier", message));
    if (tier) counts[tier] = (counts[tier] ?? 0) + 1;
  }
  return counts;
}

/** Records by client version; lines without a version are the client's metadata and count nowhere. */
export function versionsOf({ records, versions }: SessionTable): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  for (let record = 0; record < records.size; record++) {
    const version = versions.at(records.get("version", record));
    if (version) counts[version] = (counts[version] ?? 0) + 1;
  }
  return counts;
}
