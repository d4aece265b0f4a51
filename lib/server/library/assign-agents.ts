import type { FoundAgent, FoundLog, ListedFolder } from "./list-folder";
import type { LogFacts } from "./log-facts";
import { isUuid, stem } from "./log-names";

/** A session's main log, or (`null`) that of a session of which only agents' logs are left, and its agents. */
export type Assigned = { place: string; main: FoundLog | null; agents: FoundAgent[] };

/** A main log's path below its project's folder, without `.jsonl`: what its session's folder is called. */
function placeOf(main: FoundLog): string {
  return main.relative.slice(0, main.relative.length - main.name.length) + stem(main.name);
}

/**
 * The main logs with their agents, and the agents whose session cannot be told. An agent below `<uuid>/` belongs to that
 * session; one beside the main logs (2.0.x) to the first session that its lines name: one with messages, else one with
 * any log, else one whose log is gone.
 */
export function assignAgents(
  folder: ListedFolder,
  factsOf: (path: string) => LogFacts,
): { sessions: Assigned[]; homeless: FoundAgent[] } {
  const byPlace = new Map<string, Assigned>();
  const byStem = new Map<string, Assigned>();
  const put = (session: Assigned) => {
    if (!byPlace.has(session.place)) byPlace.set(session.place, session);
    const name = stem(session.place.slice(session.place.lastIndexOf("/") + 1));
    if (!byStem.has(name)) byStem.set(name, session);
    return session;
  };
  const sessions = folder.mains.map((main) => put({ place: placeOf(main), main, agents: [] }));
  const putGone = (place: string) => {
    const session = put({ place, main: null, agents: [] });
    sessions.push(session);
    return session;
  };
  for (const [place, { agents, linked }] of folder.sessionFolders) {
    const name = place.slice(place.lastIndexOf("/") + 1);
    const owner = byPlace.get(place) ?? byPlace.get(`${place}/${name}`);
    // What a link leads to is listed where it is.
    if (!owner && linked) continue;
    if (agents.length > 0) (owner ?? putGone(place)).agents.push(...agents);
  }
  const homeless: FoundAgent[] = [];
  for (const agent of folder.agents) {
    const ids = factsOf(agent.path).sessionIds;
    const named = ids.flatMap((id) => byStem.get(id) ?? []);
    const owner =
      named.find(({ main }) => main && factsOf(main.path).hasMessages) ??
      named.find(({ main }) => main) ??
      named[0] ??
      goneOwner(agent, ids, putGone);
    if (owner) owner.agents.push(agent);
    else homeless.push(agent);
  }
  return { sessions, homeless };
}

function goneOwner(
  agent: FoundAgent,
  ids: readonly string[],
  putGone: (place: string) => Assigned,
): Assigned | null {
  // The id becomes a file's name: it has to be one.
  const id = ids.find(isUuid);
  if (id === undefined) return null;
  return putGone(agent.relative.slice(0, agent.relative.length - agent.name.length) + id);
}
