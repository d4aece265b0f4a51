import type { FoundAgent, ListedFolder } from "./list-folder";
import { stem } from "./list-folder";
import type { LogFacts } from "./log-facts";

/**
 * The agents of each main log, by the log's stem, and those that belong to none. An agent under
 * `<uuid>/subagents` belongs to that session; one beside the main logs (2.0.x) to the first session
 * that its lines name and that is listed.
 */
export function assignAgents(
  folder: ListedFolder,
  isListed: (stem: string) => boolean,
  factsOf: (path: string) => LogFacts | undefined,
): { byStem: Map<string, FoundAgent[]>; orphans: FoundAgent[] } {
  const byStem = new Map<string, FoundAgent[]>();
  const orphans: FoundAgent[] = [];
  const put = (owner: string | undefined, agent: FoundAgent) => {
    if (owner === undefined) orphans.push(agent);
    else (byStem.get(owner) ?? newList(owner)).push(agent);
  };
  const newList = (owner: string): FoundAgent[] => {
    const list: FoundAgent[] = [];
    byStem.set(owner, list);
    return list;
  };
  for (const [name, { agents }] of folder.sessionFolders) {
    const owner = isListed(name) ? name : undefined;
    for (const agent of agents) put(owner, agent);
  }
  const mains = new Set(folder.mains.map((main) => stem(main.name)).filter(isListed));
  for (const agent of folder.agents)
    put(
      factsOf(agent.path)?.sessionIds.find((id) => mains.has(id)),
      agent,
    );
  return { byStem, orphans };
}
