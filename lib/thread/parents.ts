import { Flag, RecordKind } from "./kinds";
import type { SessionTable } from "./session-table";

const NONE = -1;

/**
 * The parent record of every record, -1 for roots. Follows `parentUuid`; at a compaction boundary
 * the logical parent; for a line without a uuid the node before it in its file, so that the client's
 * book-keeping stays where it was written. Cycles and self-parents are cut: every walk up ends.
 */
export function resolveParents(table: SessionTable): Int32Array {
  const { records } = table;
  const find = recordFinder(table);
  const parents = new Int32Array(records.size).fill(NONE);
  const lastNode = new Map<number, number>();
  const promptRoots = new Set<number>();
  for (let record = 0; record < records.size; record++) {
    const file = records.get("file", record);
    const flags = records.get("flags", record);
    const before = lastNode.get(file) ?? NONE;
    if (!(flags & Flag.node)) {
      parents[record] = before;
      continue;
    }
    const named = namedParent(table, record);
    const found = named === NONE ? NONE : find(named, record);
    parents[record] = found === NONE ? standIn(table, record, named, before, promptRoots) : found;
    if (!(flags & Flag.sidechain && file === 0)) lastNode.set(file, record);
  }
  cutCycles(parents);
  return parents;
}

function namedParent(table: SessionTable, record: number): number {
  if (table.records.get("kind", record) === RecordKind.compactBoundary) {
    const logical = table.records.get("link", record);
    if (logical !== NONE) return logical;
  }
  return table.records.get("parent", record);
}

/**
 * Where a node goes whose parent is not there. In mid-file it continues what stands before it (plan
 * continuations of 2.1.29 and 2.1.42 start with lines of the old session); but a second prompt
 * without any parent is a rewind to the very start, and a sidechain's first line starts its agent.
 */
function standIn(table: SessionTable, record: number, named: number, before: number, promptRoots: Set<number>): number {
  const file = table.records.get("file", record);
  if (table.records.get("flags", record) & Flag.sidechain && file === 0) return NONE;
  if (named !== NONE || table.records.get("kind", record) !== RecordKind.prompt) return before;
  if (promptRoots.has(file)) return NONE;
  promptRoots.add(file);
  return before;
}

/** Finds the record of a uuid. A uuid that stands twice (2.1.330 after /branch) means the copy last written before the child. */
function recordFinder(table: SessionTable): (key: number, child: number) => number {
  const { records } = table;
  const first = new Int32Array(table.uuids.size).fill(NONE);
  const copies = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    const key = records.get("uuid", record);
    if (key === NONE) continue;
    const known = first[key] as number;
    if (known === NONE) first[key] = record;
    else copies.set(key, [...(copies.get(key) ?? [known]), record]);
  }
  return (key, child) => {
    const all = copies.get(key);
    if (!all) return first[key] === child ? NONE : (first[key] as number);
    const file = records.get("file", child);
    const own = all.filter((record) => record !== child && records.get("file", record) === file);
    return own.findLast((record) => record < child) ?? own[0] ?? all.find((record) => record !== child) ?? NONE;
  };
}

function cutCycles(parents: Int32Array): void {
  const UNSEEN = 0;
  const DONE = 2;
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let record = start;
    while (record !== NONE && state[record] === UNSEEN) {
      state[record] = 1;
      const up = parents[record] as number;
      if (up !== NONE && state[up] === 1) {
        parents[record] = NONE;
        break;
      }
      record = up;
    }
    for (let walked = start; walked !== NONE && state[walked] === 1; walked = parents[walked] as number) state[walked] = DONE;
  }
}
