import { z } from "zod";
import { formatCost, formatPlural } from "@/lib/format/format";
import { sessionFilter } from "@/lib/server/search/match-session";
import type { SessionSummary } from "@/lib/wire/library";
import { SESSION_SORTS } from "@/lib/wire/library-columns";
import { askedProject, projectInput } from "../asked";
import { type McpWorld, tellingOfMany } from "../mcp-world";
import { tool } from "../tool";
import { briefName, facts, formatMomentOrNone, linkTo, MAX_ANSWER } from "../words";

/** Lists the library, filtered and sorted. */
export const listSessions = tool({
  name: "list_sessions",
  title: "Sessions",
  description:
    'Lists past and running Claude Code sessions of this machine. `query` filters by words of the title, first prompt, branch or folder, and by filters: is:running, is:abandoned (has a branch that was left), is:starred, tag:x, branch:x, model:x, file:src/**, tool:Bash, commit:1a2b3c4, pr:12, after:7d, before:2026-03-01, tokens:>5k, cost:>5, has:compaction, has:image; "-" excludes, OR chooses. To find what was said or done inside of sessions use search.',
  input: z.object({
    query: z.string().max(1_000).optional(),
    project: projectInput,
    sort: z.enum(SESSION_SORTS).default("active"),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(400).optional().describe("From an earlier answer, for the sessions behind it"),
  }),
  answer: async (world, { query = null, project, sort, limit, cursor = null }) => {
    const { catalog } = world;
    const said = await tellingOfMany(world);
    const { problems, ...filter } = sessionFilter(world, query);
    const asked = { project: askedProject(catalog, project), sort, cursor, ...filter };
    const paths = new Map(catalog.projects().map(({ id, path }) => [id, path]));
    const brief = (text: string) => briefName(said(text));
    const pageOf = (most: number) => {
      const page = catalog.sessions({ ...asked, limit: most });
      const told = page.sessions
        .map((session) => {
          const title = said(session.title, session.id);
          return tell(world, { ...session, title }, paths.get(session.projectId) ?? null, brief);
        })
        .join("\n\n");
      return { page, told };
    };
    let { page, told } = pageOf(limit);
    while (told.length > MAX_ANSWER && page.sessions.length > 1)
      ({ page, told } = pageOf(Math.floor((page.sessions.length * MAX_ANSWER) / (told.length + 1)) || 1));
    return {
      recorded: said(told),
      note: facts(
        `${page.sessions.length} of ${formatPlural(page.total, "session")}`,
        page.hidden > 0 && `${page.hidden} more are hidden (is:hidden shows them)`,
        page.nextCursor !== null && `ask again with cursor ${page.nextCursor} for more`,
        ...problems().map(({ message }) => `query: ${message}`),
      ),
    };
  },
});

function tell(
  world: McpWorld,
  session: SessionSummary,
  path: string | null,
  brief: (text: string) => string,
): string {
  const { id, title, state, turns, toolCalls, agentCount, models, gitBranch, cost } = session;
  return [
    briefName(title),
    facts(
      path && brief(path),
      gitBranch && brief(gitBranch),
      formatMomentOrNone(session.lastActiveAtMs),
      state !== "unknown" && state,
    ),
    facts(
      turns !== null && formatPlural(turns, "turn"),
      toolCalls !== null && formatPlural(toolCalls, "tool call"),
      agentCount !== null && agentCount > 0 && formatPlural(agentCount, "agent"),
      brief(models.join(", ")),
      cost && formatCost(cost.microUsd, cost.unpricedTokens),
    ),
    facts(`session ${id}`, linkTo(world, id)),
  ]
    .filter(Boolean)
    .join("\n");
}
