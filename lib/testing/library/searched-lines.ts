import { expect } from "vitest";
import type { SearchQuery } from "@/lib/server/search/search";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import type { SearchHit } from "@/lib/wire/search";
import { searchedLibrary } from "./searched-library";

/** The main log of a tree's first session, and the log of an agent of it. */
export const MAIN_LOG = `projects/-a/${uuid(1)}.jsonl`;
export const AGENT_LOG = `projects/-a/${uuid(1)}/subagents/agent-a1.jsonl`;

/** A line with a call of a tool. */
export function callLine(name: string, input: object, id = "toolu_1"): Record<string, unknown> {
  const message = { id: `msg-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] };
  return { type: "assistant", uuid: `c-${id}`, timestamp: "2026-01-02T03:04:07.000Z", message };
}

/** A line with the result of a call. */
export function resultLine(content: string, more: object = {}, id = "toolu_1"): Record<string, unknown> {
  const block = { type: "tool_result", tool_use_id: id, content, ...more };
  return {
    type: "user",
    uuid: `r-${id}`,
    timestamp: "2026-01-02T03:04:08.000Z",
    message: { role: "user", content: [block] },
    toolUseResult: { stdout: content },
  };
}

/** A library searched as the server does, with or without an index. */
export async function openSearched(files: Parameters<typeof makeTree>[0], indexed = true) {
  const path = makeTree(files);
  const world = await searchedLibrary(path, indexed);
  const { catalog, scanner, search } = world;
  const all = async (q: string, more: Partial<SearchQuery> = {}) => {
    const hits: SearchHit[] = [];
    let cursor: string | null = null;
    do {
      const page = await search.page({ q, project: null, session: null, limit: 50, ...more, cursor });
      hits.push(...page.hits);
      cursor = page.nextCursor;
      expect(page.complete).toBe(cursor === null);
    } while (cursor !== null);
    return hits;
  };
  /** Hits as `field: …[find]…`, in order. The test lines' uuids repeat their words, so `meta` is asked for. */
  const told = async (q: string) =>
    (await all(q)).filter(({ field }) => field !== "meta" || q.includes("meta")).map(hitLine);
  return { path, catalog, scanner, search, world, all, told };
}

/** A hit as `field: …[find]…`. */
function hitLine({ field, agentId, snippet, ranges }: SearchHit): string {
  const [from, to] = ranges[0] ?? [0, 0];
  const shown = `${snippet.slice(Math.max(0, from - 8), from)}[${snippet.slice(from, to)}]${snippet.slice(to, to + 8)}`;
  return `${agentId ? `agent ${agentId} ` : ""}${field}: ${shown}`;
}
