import { useThreadActions } from "@/components/content/row-actions";
import { LaneShape } from "@/components/ui/lane-shape";
import { formatPlural } from "@/lib/format/format-count";
import { withTokens } from "@/lib/format/format-tokens";
import type { RowAgent } from "@/lib/wire/rows";

/** More are counted: the opened row lists all of them. */
const MOST_CHIPS = 8;

/** The agents that one call started, a mark each; a click opens that agent beside the thread. */
export function AgentChips({ agents }: { agents: readonly RowAgent[] }) {
  const { openAgent } = useThreadActions();
  const toolCalls = agents.reduce((sum, agent) => sum + agent.toolCalls, 0);
  const tokens = agents.reduce((sum, agent) => sum + agent.tokens, 0);
  const more = agents.length - MOST_CHIPS;
  return (
    <>
      <span className="@max-[480px]/thread:hidden">
        {withTokens(formatPlural(toolCalls, "tool"), tokens)}
      </span>
      <span className="flex flex-none items-center">
        {agents.slice(0, MOST_CHIPS).map(({ agentId, name, lane, toolCalls: calls, state }) => (
          <button
            key={agentId}
            type="button"
            tabIndex={-1}
            aria-label={`Open ${name ?? "an agent"} beside`}
            title={`${name ?? agentId}, ${formatPlural(calls, "tool")}${STATES[state]}: open beside`}
            className="flex size-5 items-center justify-center rounded-1 hover:bg-raised"
            onClick={(event) => {
              event.stopPropagation();
              openAgent(agentId);
            }}
          >
            <LaneShape lane={lane} />
          </button>
        ))}
        {more > 0 && <span className="pl-1 text-fg-3">+{more}</span>}
      </span>
    </>
  );
}

const STATES: Record<RowAgent["state"], string> = {
  running: ", running",
  failed: ", failed",
  interrupted: ", stopped",
  done: "",
  unknown: "",
};
