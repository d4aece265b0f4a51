import { PanelRight } from "lucide-react";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText, toCopy } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedBlock } from "@/components/thread/opened-block";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { formatDuration, formatPlural, withTokens } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { AgentId } from "@/lib/wire/ids";
import { formatAgentState, type RowAgent } from "@/lib/wire/rows";
import { firstProseLine, RowFrame, RowLine, type RowProps } from "./row-line";

/** The row where an agent's answer returns. */
export function AgentReturnRowView({ row, open, selected }: RowProps<"agent-return">) {
  const { toggleOpen, sessionId } = useThreadActions();
  return (
    <RowFrame node={{ shape: "agent-return", lane: row.lane }} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name="returned"
        nameTone="quiet"
        prose
        subject={<VisibleText text={firstProseLine(row.text.text)} />}
      />
      {open && (
        <OpenedBlock
          row={row}
          facts={
            <span className="truncate">
              {row.notice ? (
                <span data-log="returned">
                  <VisibleText text={row.notice} />
                </span>
              ) : (
                "the agent’s answer"
              )}
            </span>
          }
          copy={{ label: "Copy answer", text: toCopy(sessionId, row, row.text) }}
        >
          <div className="px-3 py-2">
            <MoreText row={row} text={row.text}>
              {(text) => <Markdown text={text} />}
            </MoreText>
          </div>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}

/** Further agents are only counted: the opened row lists all of them. */
const MAX_CHIPS = 8;

/** The agents that one call started, one mark each; a click opens that agent's thread in a pane. */
export function AgentChips({ agents }: { agents: readonly RowAgent[] }) {
  const { openAgent } = useThreadActions();
  const toolCalls = agents.reduce((sum, agent) => sum + agent.toolCalls, 0);
  const tokens = agents.reduce((sum, agent) => sum + agent.tokens, 0);
  const more = agents.length - MAX_CHIPS;
  return (
    <>
      <span className="@max-[480px]/thread:hidden">
        {withTokens(formatPlural(toolCalls, "tool"), tokens)}
      </span>
      <span className="flex flex-none items-center">
        {agents.slice(0, MAX_CHIPS).map(({ agentId, name, lane, toolCalls: calls, state, durationMs }) => (
          <button
            key={agentId}
            type="button"
            tabIndex={-1}
            aria-label={labelHidden(`Open ${name ?? "an agent"} beside`)}
            title={labelHidden(
              `${[
                name ?? agentId,
                formatPlural(calls, "tool"),
                durationMs !== null && state !== "running" && formatDuration(durationMs),
                formatAgentState(state),
              ]
                .filter(Boolean)
                .join(", ")}: open beside`,
            )}
            className="flex size-5 items-center justify-center rounded-1 hover:bg-raised pointer-coarse:size-6"
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

/** Opens an agent's thread in a pane beside this one. */
export function OpenBeside({ agentId, name }: { agentId: AgentId; name: string }) {
  const { openAgent } = useThreadActions();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={labelHidden(`Open ${name || "the agent"} beside`)}
      title="Open beside (p)"
      className="touch-room relative flex size-5 flex-none items-center justify-center rounded-1 text-fg-3 hover:bg-raised hover:text-fg print:hidden"
      onClick={(event) => {
        event.stopPropagation();
        openAgent(agentId);
      }}
    >
      <Icon of={PanelRight} small />
    </button>
  );
}
