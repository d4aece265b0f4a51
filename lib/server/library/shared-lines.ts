import { addTo } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import type { Relation } from "@/lib/wire/session";
import type { SessionEntry } from "./session-registry";

type RelatedEntry = { entry: SessionEntry; relation: Relation };

/**
 * The sessions that share history with this one. A fork copies lines with their uuids, so both start
 * with the same one; a session resumed with 1.0.60 copies them under new uuids, but messages keep their
 * ids. The copy is recognized by lines that name the original (`forkedFrom`, 2.1.110 and later; `sessionId` of user
 * lines, 2.0.42–2.1.42); in 1.0.60, 1.0.128 and for --fork-session of 2.1.330 nothing does.
 * "Clear context and implement plan" (2.1.29, 2.1.42) continues in a session whose first line has its parent among
 * the last lines of the previous one. 2.0.0 may continue in a new file under the old session's id: its lines
 * have that `sessionId`, and the parent of the first one is a line of the old file. An agent that works while its session
 * is cleared goes on in a file of the new session, under its own id (2.1.332).
 */
export function relatedTo(own: SessionEntry, all: readonly SessionEntry[]): RelatedEntry[] {
  const related: RelatedEntry[] = [];
  const agents = longAgentIds(own);
  for (const entry of all) {
    if (entry === own || entry.files.projectId !== own.files.projectId) continue;
    const relation = relationOf(own, entry) ?? (sharesOne(agents, entry) ? orderOf(own, entry) : null);
    if (relation) related.push({ entry, relation });
  }
  return related;
}

/**
 * Of each of these sessions those among them that it was copied from, as `relatedTo` would say `forked-from`. Only the
 * sessions that its lines name are looked at: of one there may be a thousand copies.
 */
export function originalsAmong(entries: readonly SessionEntry[]): Map<SessionId, SessionId[]> {
  const byStem = new Map<string, SessionEntry[]>();
  for (const entry of entries) {
    addTo(byStem, entry.draft.stem, entry);
  }
  const isOriginal = (own: SessionEntry, other: SessionEntry) =>
    other !== own &&
    other.files.projectId === own.files.projectId &&
    relationOf(own, other) === "forked-from";
  return new Map(
    entries.map((own) => {
      const { forkedFrom, sessionIds } = own.draft.facts;
      const named = new Set([...(forkedFrom === null ? [] : [forkedFrom]), ...sessionIds]);
      const others = [...named].flatMap((stem) => byStem.get(stem) ?? []);
      return [own.files.id, others.filter((other) => isOriginal(own, other)).map(({ files }) => files.id)];
    }),
  );
}

function relationOf(own: SessionEntry, other: SessionEntry): Relation | null {
  const mine = own.draft.facts;
  const theirs = other.draft.facts;
  if (isSame(mine.firstUuid, theirs.firstUuid) || isSame(mine.firstMessageId, theirs.firstMessageId)) {
    if (names(own, other)) return "forked-from";
    return names(other, own) ? "fork" : "shares-history";
  }
  if (continues(own, other)) return "continues";
  return continues(other, own) ? "continued-in" : null;
}

/** Ids that no two agents have. Those of before 2.1 are shorter, and those of other files are names. */
const LONG_AGENT_ID = /^a[0-9a-f]{16}$/;

function longAgentIds({ files }: SessionEntry): ReadonlySet<string> {
  return new Set(files.agents.map(({ agentId }) => agentId).filter((id) => LONG_AGENT_ID.test(id)));
}

function sharesOne(agents: ReadonlySet<string>, { files }: SessionEntry): boolean {
  return agents.size > 0 && files.agents.some(({ agentId }) => agents.has(agentId));
}

/**
 * Of two sessions that an agent worked in, the one that began later continues the other. One that began at the same time
 * is a copy with the agents of the other, as an exported clone is that stands beside its session again.
 */
function orderOf(own: SessionEntry, other: SessionEntry): Relation {
  const [mine, theirs] = [own.draft.facts.startedAtMs ?? 0, other.draft.facts.startedAtMs ?? 0];
  if (mine === theirs) return "shares-history";
  return mine > theirs ? "continues" : "continued-in";
}

function isSame(mine: string | null, theirs: string | null): boolean {
  return mine !== null && mine === theirs;
}

function continues(later: SessionEntry, earlier: SessionEntry): boolean {
  const parent = later.draft.facts.firstParentUuid;
  if (parent === null) return false;
  return earlier.draft.facts.lastUuids.includes(parent) || (names(later, earlier) && !holds(later, parent));
}

/** True if this uuid is among those read from a log's own lines. */
function holds({ draft: { facts } }: SessionEntry, uuid: string): boolean {
  return facts.firstUuid === uuid || facts.lastUuids.includes(uuid);
}

/** True if lines of `copy` have the id of `original`. */
function names(copy: SessionEntry, original: SessionEntry): boolean {
  const id = original.draft.stem;
  const { forkedFrom, sessionIds } = copy.draft.facts;
  return forkedFrom === id || (copy.draft.stem !== id && sessionIds.includes(id));
}
