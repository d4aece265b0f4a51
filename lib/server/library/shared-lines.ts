import type { Relation } from "@/lib/wire/session";
import type { ShelfEntry } from "./session-registry";

export type RelatedEntry = { entry: ShelfEntry; relation: Relation };

/**
 * The sessions that share history with this one. A fork copies lines with their uuids, so both start
 * with the same one; a session resumed with 1.0.60 copies them under new uuids, and the messages keep their
 * ids. Which is the copy: its lines name the original (`forkedFrom`, 2.1.110 and later; `sessionId` of user
 * lines, 2.0.42–2.1.42); in 1.0.60, 1.0.128 and for --fork-session of 2.1.330 nothing tells.
 * "Clear context and implement plan" (2.1.29, 2.1.42) goes on in a session whose first line hangs from
 * the last lines of the one before. 2.0.0 may go on in a new file in the name of the old session: its lines
 * carry that `sessionId`, and the first one hangs from a line there.
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
  if (isSame(mine.firstUuid, theirs.firstUuid) || isSame(mine.firstMessageId, theirs.firstMessageId)) {
    if (names(own, other)) return "forked-from";
    return names(other, own) ? "fork" : "shares-history";
  }
  if (continues(own, other)) return "continues";
  return continues(other, own) ? "continued-in" : null;
}

function isSame(mine: string | null, theirs: string | null): boolean {
  return mine !== null && mine === theirs;
}

function continues(later: ShelfEntry, earlier: ShelfEntry): boolean {
  const parent = later.draft.facts.firstParentUuid;
  if (parent === null) return false;
  return earlier.draft.facts.lastUuids.includes(parent) || (names(later, earlier) && !holds(later, parent));
}

/** True if a log's own lines, as far as they were looked at, have this uuid. */
function holds({ draft: { facts } }: ShelfEntry, uuid: string): boolean {
  return facts.firstUuid === uuid || facts.lastUuids.includes(uuid);
}

/** True if lines of `copy` carry the id of `original`. */
function names(copy: ShelfEntry, original: ShelfEntry): boolean {
  const id = original.draft.stem;
  const { forkedFrom, sessionIds } = copy.draft.facts;
  return forkedFrom === id || (copy.draft.stem !== id && sessionIds.includes(id));
}
