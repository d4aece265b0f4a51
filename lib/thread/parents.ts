import { cutCycles } from "./cut-cycles";
import { Flag, RecordKind } from "./kinds";
import { joinLostAnswers } from "./lost-answers";
import { recordFinder } from "./record-finder";
import type { SessionTable } from "./session-table";
import { compactionBefore } from "./standing-summary";

const NONE = -1;

/**
 * The parent record of every record, -1 for roots. Follows `parentUuid`; at a compaction boundary
 * the logical parent; for a line without a uuid the node before it in its file, so that the client's
 * book-keeping stays where it was written. A copy that hangs where its original does hangs from the
 * original, and so does what follows it. Cycles and self-parents are cut: every walk up ends.
 */
export function resolveParents(table: SessionTable, copies: ReadonlyMap<number, number>): Int32Array {
  const { records } = table;
  const find = recordFinder(table);
  const parents = new Int32Array(records.size).fill(NONE);
  const originals = new Map<number, number>();
  const lastNode = new Map<number, number>();
  const promptRoots = new Set<number>();
  const canonical = (record: number) => originals.get(record) ?? record;
  for (let record = 0; record < records.size; record++) {
    const file = records.get("file", record);
    const flags = records.get("flags", record);
    const before = lastNode.get(file) ?? NONE;
    if (!(flags & Flag.node)) {
      parents[record] = before;
      continue;
    }
    const named = namedParent(table, record);
    const found = canonical(find(named, record));
    const original = copies.get(record);
    if (original !== undefined && found === canonical(find(namedParent(table, original), original))) {
      originals.set(record, canonical(original));
      continue;
    }
    parents[record] = found === NONE ? standIn(table, record, named, before, promptRoots) : found;
    if (!(flags & Flag.sidechain && file === 0)) lastNode.set(file, record);
  }
  // A child may be written before its parent (2.1.110), and so before a copy of it was known for one.
  for (let record = 0; record < parents.length; record++) {
    parents[record] = originals.get(record) ?? canonical(parents[record] as number);
  }
  joinLostAnswers(table, parents);
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
  const compaction = compactionBefore(table, record);
  if (compaction !== NONE) return compaction;
  if (promptRoots.has(file)) return NONE;
  promptRoots.add(file);
  return before;
}
