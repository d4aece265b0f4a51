import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { compactionBefore } from "@/lib/log/table/summary-boundary";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/** A node whose parent is not there: what its line names (-1 for nothing), and the node before it in its file. */
export type Orphan = { record: number; named: number; before: number };

/**
 * Hangs orphans where a reader would look for them, unless that hangs from the orphan itself: an
 * answer can stand before its prompt (2.1.110, 2.1.220). `parents` must be without cycles, and stays so.
 */
export function adoptOrphans(table: SessionTable, parents: Int32Array, orphans: readonly Orphan[]): void {
  const promptRoots = new Set<number>();
  const roots = parents.slice();
  for (const orphan of orphans) {
    const parent = standIn(table, orphan, promptRoots);
    if (parent === NONE || rootOf(roots, parent) === orphan.record) continue;
    parents[orphan.record] = parent;
    roots[orphan.record] = parent;
  }
}

/**
 * In mid-file an orphan continues what stands before it (plan continuations of 2.1.29 and 2.1.42 start
 * with lines of the old session); but a second prompt without any parent is a rewind to the very start,
 * and a sidechain's first line starts its agent.
 */
function standIn(table: SessionTable, { record, named, before }: Orphan, promptRoots: Set<number>): number {
  const file = table.records.get("file", record);
  if (table.records.get("flags", record) & Flag.sidechain && file === 0) return NONE;
  if (named !== NONE || table.records.get("kind", record) !== RecordKind.prompt) return before;
  const compaction = compactionBefore(table, record);
  if (compaction !== NONE) return compaction;
  if (promptRoots.has(file)) return NONE;
  promptRoots.add(file);
  return before;
}

/** The root above a record. Shortens the way for the next walk: a log of orphans alone must not cost its square. */
function rootOf(roots: Int32Array, record: number): number {
  let root = record;
  while (at(roots, root) !== NONE) root = at(roots, root);
  for (let walked = record; walked !== root; ) {
    const up = at(roots, walked);
    roots[walked] = root;
    walked = up;
  }
  return root;
}
