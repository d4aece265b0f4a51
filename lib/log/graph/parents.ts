import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { cutCycles } from "./cut-cycles";
import { joinLostAnswers } from "./lost-answers";
import { recordFinder } from "./record-finder";
import { SharedCaveats } from "./shared-caveat";
import { adoptOrphans, type Orphan } from "./stand-ins";

const NONE = -1;

/**
 * The parent record of every record, -1 for roots. Follows `parentUuid`; at a compaction boundary
 * the logical parent; for a line without a uuid the node before it in its file, so that the client's
 * book-keeping stays where it was written. A copy that hangs where its original does hangs from the
 * original, and so does what follows it. A later command of a shared caveat follows the node before it
 * (1.0.60). Cycles and self-parents are cut: every walk up ends.
 */
export function resolveParents(table: SessionTable, copies: ReadonlyMap<number, number>): Int32Array {
  const { records } = table;
  const find = recordFinder(table);
  const parents = new Int32Array(records.size).fill(NONE);
  const originals = new Map<number, number>();
  const lastNode = new Map<number, number>();
  const orphans: Orphan[] = [];
  const caveats = new SharedCaveats(table);
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
    if (caveats.isLaterCommand(record, found)) parents[record] = before;
    else if (found === NONE) orphans.push({ record, named, before });
    else parents[record] = found;
    if (!(flags & Flag.sidechain && file === 0)) lastNode.set(file, record);
  }
  // A child may be written before its parent (2.1.110), and so before a copy of it was known for one.
  for (let record = 0; record < parents.length; record++) {
    parents[record] = originals.get(record) ?? canonical(at(parents, record));
  }
  cutCycles(parents);
  adoptOrphans(table, parents, orphans);
  joinLostAnswers(table, parents);
  cutCycles(parents);
  return parents;
}

/** The uuid that a line gives as its parent, -1 for none; at a compaction boundary its logical one. */
export function namedParent(table: SessionTable, record: number): number {
  if (table.records.get("kind", record) === RecordKind.compactBoundary) {
    const logical = table.records.get("link", record);
    if (logical !== NONE) return logical;
  }
  return table.records.get("parent", record);
}
