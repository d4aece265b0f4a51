import { z } from "zod";
import { formatPlural } from "@/lib/format/format";
import type { SessionId } from "@/lib/wire/ids";
import type { HitPlace, SearchHit, SearchResponse } from "@/lib/wire/search";
import { askedProject, askedSession, projectInput, sessionInput } from "../asked";
import { type McpWorld, type Telling, tellingOf } from "../mcp-world";
import { finderOf, redactedSnippet } from "../redacted-snippet";
import { tool } from "../tool";
import { briefName, facts, formatMomentOrNone, linkTo } from "../words";

/** A search with few hits reads all logs: after this time it answers with what it has found. */
const PATIENCE_MS = 8_000;

/** Searches everything that was said or done, in all sessions or one. */
export const search = tool({
  name: "search",
  title: "Search",
  description:
    'Finds text in everything that Claude Code sessions of this machine recorded: prompts, answers, thinking, inputs and outputs of tools, agents. Words, "phrases" and /regular expressions/ (RE2) must all stand in the same text; "-" excludes, OR chooses, case never matters. Filters: in:prompt|text|thinking|input|output|returned|title|command|attachment|meta|raw, tool:Bash, is:error, is:abandoned (on a branch that was left), is:compacted (before a compaction), file:src/**, branch:x, model:x, after:7d, before:2026-03-01. Best hits first; read_session shows what stands around one.',
  input: z.object({
    query: z.string().min(1).max(1_000),
    project: projectInput,
    session: sessionInput.optional(),
    limit: z.number().int().min(1).max(50).default(10),
    cursor: z.string().max(400).optional().describe("From an earlier answer, for the hits behind it"),
  }),
  answer: async (world, { query, project, session, limit, cursor = null }) => {
    const of = {
      project: askedProject(world.catalog, project),
      session: session === undefined ? null : (await askedSession(world.catalog, session)).summary.id,
    };
    const { hits, nextCursor, problems } = await hitsOf(world, { q: query, ...of, limit, cursor });
    const places = await world.search.places(
      hits.map(({ sessionId, recordId, block }) => ({ session: sessionId, recordId, block })),
    );
    const told: string[] = [];
    const finder = finderOf(query);
    // One for all hits of a session: each time, the logs of one that is being written would be searched for secrets anew.
    const tellings = new Map<SessionId, Telling>();
    for (const [at, hit] of hits.entries()) {
      const telling = tellings.get(hit.sessionId) ?? (await tellingOf(world, hit.sessionId));
      tellings.set(hit.sessionId, telling);
      told.push(await tell(world, telling, hit, finder, places[at] ?? null));
    }
    return {
      recorded: told.join("\n\n"),
      note: facts(
        nextCursor === null
          ? formatPlural(hits.length, "hit")
          : `${formatPlural(hits.length, "hit")}; ask again with cursor ${nextCursor} for more`,
        ...problems.map(({ message }) => `query: ${message}`),
      ),
    };
  },
});

type Asked = Parameters<McpWorld["search"]["page"]>[0];

/** Collects pages until there are enough hits: a page may have none while logs are still to be read. */
async function hitsOf(
  { search: searching }: McpWorld,
  asked: Asked,
): Promise<Pick<SearchResponse, "hits" | "nextCursor" | "problems">> {
  const endsAtMs = performance.now() + PATIENCE_MS;
  const hits: SearchHit[] = [];
  let { cursor } = asked;
  for (;;) {
    const found = await searching.page({ ...asked, cursor, limit: asked.limit - hits.length });
    hits.push(...found.hits);
    cursor = found.nextCursor;
    if (cursor === null || hits.length >= asked.limit || performance.now() > endsAtMs)
      return { hits, nextCursor: cursor, problems: found.problems };
  }
}

async function tell(
  world: McpWorld,
  { sessions, said }: Telling,
  hit: SearchHit,
  finder: ReturnType<typeof finderOf>,
  place: HitPlace | null,
): Promise<string> {
  const { sessionId, agentId, recordId, block, field, tool: toolName, atMs } = hit;
  const { title } = world.catalog.summary(sessionId);
  const { projectPath } = world.catalog.sessionFiles(sessionId);
  const titles = [said(title), said(projectPath)];
  return [
    facts(briefName(said(title)), briefName(said(projectPath)), formatMomentOrNone(atMs)),
    world.redacts ? await redactedSnippet(sessions, hit, finder, titles) : hit.snippet,
    facts(
      `${field}${toolName === null ? "" : ` of ${toolName}`}`,
      place?.turn != null && `turn ${place.turn}`,
      place?.branch != null && `on branch ${place.branch}, which is not the active one`,
      agentId !== null && `agent ${agentId}`,
      `record ${recordId}.${block}`,
      `session ${sessionId}`,
    ),
    linkTo(world, sessionId, { recordId, block, agentId }),
  ]
    .filter(Boolean)
    .join("\n");
}
