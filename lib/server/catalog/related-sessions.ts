import type { Relation } from "@/lib/wire/related";
import type { ShelfEntry } from "./session-shelf";

export type RelatedEntry = { entry: ShelfEntry; relation: Relation };

/**
 * The sessions that share history with this one. A fork copies lines with their uuids, so both start
 * with the same one. Which is the copy: its lines name the original (`forkedFrom`, 2.1.110 and later;
 * `sessionId` of user lines, 2.0.42–2.1.42); in 1.0.128 and for --fork-session of 2.1.330 nothing tells.
 * "Clear context and implement plan" (2.1.29, 2.1.42) goes on in a session whose first line hangs from
 * the last lines of the one before.
 */
export function relatedTo(own: ShelfEntry, all: readonly ShelfEntry[]): RelatedEntry[] {
  const related: RelatedEntry[] = [];
  for (const entry of all) {
    if (entry === own || entry.files.projectId !== own.files.projectId) continue;
    const relation = relationOf(own, entry);
    if (relation) related.push({ entry, relation });
  }
  return related;
}

function relationOf(own: ShelfEntry, other: ShelfEntry): Relation | null {
  const mine = own.draft.facts;
  const theirs = other.draft.facts;
  if (mine.firstUuid !== null && mine.firstUuid === theirs.firstUuid) {
    if (names(own, other)) return "forked-from";
    return names(other, own) ? "fork" : "shares-history";
  }
  if (follows(mine.firstParentUuid, theirs.lastUuids)) return "continues";
  return follows(theirs.firstParentUuid, mine.lastUuids) ? "continued-in" : null;
}

/** True if lines of `copy` carry the id of `original`. */
function names(copy: ShelfEntry, original: ShelfEntry): boolean {
  const id = original.draft.stem;
  const { forkedFrom, sessionIds } = copy.draft.facts;
  return forkedFrom === id || (copy.draft.stem !== id && sessionIds.includes(id));
}

function follows(parent: string | null, lastUuids: readonly string[]): boolean {
  return parent !== null && lastUuids.includes(parent);
}
