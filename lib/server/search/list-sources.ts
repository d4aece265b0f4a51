import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionId } from "@/lib/wire/ids";
import { type SearchSource, type SessionFacts, SUMMARY_FIELDS } from "./search-source";

type World = { catalog: Catalog; scanner: Scanner };

const NOTHING: ReadonlyMap<string, number> = new Map();

/** Every session as a search needs it, last active first. */
export function listSources(world: World): SearchSource[] {
  const { catalog, scanner } = world;
  const sources = catalog.summaries().map(({ id, projectId }): SearchSource => {
    const { root, main, agents, folder } = catalog.sessionFiles(id);
    return {
      ...factsOf(world, id),
      id,
      projectId,
      root,
      folder,
      files: [
        { path: main.path, key: main.key, agentId: null, bytes: main.bytes, metaPath: null },
        ...agents.map(({ path, key, agentId, bytes, metaPath }) => ({ path, key, agentId, bytes, metaPath })),
      ],
      indexed: scanner.indexedBytes(id) ?? NOTHING,
    };
  });
  return sources.sort((a, b) => (b.summary.lastActiveAtMs ?? 0) - (a.summary.lastActiveAtMs ?? 0));
}

/** What is known of a session before any of its texts is read. */
export function factsOf({ catalog, scanner }: World, id: SessionId): SessionFacts {
  const summary = catalog.summary(id);
  const known = Object.fromEntries(SUMMARY_FIELDS.map((field) => [field, summary[field]]));
  return {
    summary: known as SessionFacts["summary"],
    path: catalog.sessionFiles(id).projectPath,
    facets: scanner.facets(id),
  };
}
