import { z } from "zod";
import { formatCompact, formatCost, formatPlural } from "@/lib/format/format";
import { clip } from "@/lib/format/text";
import { agentFacts } from "@/lib/server/export/agent-words";
import { agentsOf } from "@/lib/server/export/exported-threads";
import { settled } from "@/lib/server/export/html/log-reader";
import type { OutlineEntry, SessionDetail } from "@/lib/wire/session";
import { askedSession, sessionInput } from "../asked";
import { tellingOf } from "../mcp-world";
import { tool } from "../tool";
import { facts, formatMomentOrNone, linkTo } from "../words";

const MAX_TURNS = 100;
const MAX_AGENTS = 40;
const MAX_FILES = 40;
const MAX_BRANCHES = 10;
const MAX_PATH = 200;

/** How to go on with a session, as its page says it: a folder that is not there has to be made, or found, first. */
function resumeLine({ resumeCommand, resumeProblem }: SessionDetail): string | null {
  const command = resumeProblem?.command ?? resumeCommand;
  return command && facts(`resume with: ${command}`, resumeProblem?.message ?? null);
}

/** Summarizes a session. */
export const getSession = tool({
  name: "get_session",
  title: "Overview of a session",
  description:
    "Tells what a Claude Code session is about without reading it: its facts, prompts turn by turn, branches, agents and the files that it changed. Takes also the address of a Backscroll page that somebody pasted.",
  input: z.object({
    session: sessionInput,
    from_turn: z.number().int().min(1).default(1).describe("The first turn to list"),
  }),
  answer: async (world, { session, from_turn: fromTurn }) => {
    const { summary, recordId, agentId, branch } = await askedSession(world.catalog, session);
    const { id } = summary;
    const { sessions } = await tellingOf(world, id);
    const detail = await settled(() => sessions.detail(id));
    const outline = await settled(() =>
      sessions.outline(id, { branch, from: fromTurn - 1, count: MAX_TURNS, detail: "tools", fold: [] }),
    );
    const { files } = await settled(() => sessions.files(id, { limit: MAX_FILES, cursor: null }));
    const agents = [...(await agentsOf(sessions, id)).values()];
    const place = recordId === null ? null : `the address points at record ${recordId}`;
    const last = fromTurn - 1 + outline.turns.length;
    return {
      recorded: [
        detail.title,
        headOf(detail),
        facts(`session ${id}`, linkTo(world, id)),
        resumeLine(detail),
        section("Turns", outline.turns.map(turnLine)),
        detail.branches.length > 1 &&
          section(
            "Branches",
            detail.branches
              .slice(0, MAX_BRANCHES)
              .map(({ id: leaf, number, prompt, turns, active }) =>
                facts(`${number}. ${prompt ?? ""}`, formatPlural(turns, "turn"), active ? "active" : leaf),
              ),
          ),
        agents.length > 0 &&
          section(
            "Agents",
            agents
              .slice(0, MAX_AGENTS)
              .map((agent) => facts(`${agent.agentId}: ${agent.name}`, agent.type, ...agentFacts(agent))),
          ),
        files.length > 0 &&
          section(
            "Files changed",
            files.map(({ path, added, removed }) => `${clip(path, MAX_PATH)} +${added} −${removed}`),
          ),
      ]
        .filter(Boolean)
        .join("\n"),
      note: facts(
        place && facts(place, agentId !== null && `of agent ${agentId}`),
        last < outline.total &&
          `turns ${fromTurn} to ${last} of ${outline.total}: from_turn ${last + 1} for more`,
        agents.length > MAX_AGENTS && `the first ${MAX_AGENTS} of ${agents.length} agents`,
        detail.counts.files > files.length && `the first ${files.length} of ${detail.counts.files} files`,
      ),
    };
  },
});

function headOf({
  project,
  gitBranch,
  models,
  state,
  counts,
  startedAtMs,
  lastActiveAtMs,
  ...rest
}: SessionDetail) {
  return [
    facts(project.path, gitBranch, models.join(", "), state !== "unknown" && state),
    facts(formatMomentOrNone(startedAtMs), formatMomentOrNone(lastActiveAtMs)),
    facts(
      formatPlural(counts.turns, "turn"),
      `${formatPlural(counts.toolCalls, "tool call")}, ${counts.toolErrors} failed`,
      counts.compactions > 0 && formatPlural(counts.compactions, "compaction"),
      rest.tokens !== null && `${formatCompact(rest.tokens)} tokens`,
      rest.cost && formatCost(rest.cost.microUsd, rest.cost.unpricedTokens),
    ),
  ].join("\n");
}

function turnLine({
  turn,
  recordId,
  prompt,
  toolCalls,
  errors,
  added,
  removed,
  agents,
}: OutlineEntry): string {
  return facts(
    `${turn}. ${prompt}`,
    toolCalls > 0 && formatPlural(toolCalls, "tool call"),
    errors > 0 && `${errors} failed`,
    added + removed > 0 && `+${added} −${removed}`,
    agents > 0 && formatPlural(agents, "agent"),
    recordId,
  );
}

function section(name: string, lines: readonly string[]): string {
  return `\n${name}:\n${lines.join("\n")}`;
}
