import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { LaneShape } from "@/components/ui/marks";
import { StateBar } from "@/components/ui/states";
import type { AgentId } from "@/lib/wire/ids";
import { useSessionPage } from "./session-store";
import { agentFigures, nameOfAgent, useAgent } from "./use-agents";

/** Over an agent's thread that is shown alone: whose it is, what became of it, and the way back. */
export function AgentNotice({ agentId, logGone = false }: { agentId: AgentId; logGone?: boolean }) {
  const { sessionId, store } = useSessionPage();
  const agent = useAgent(sessionId, agentId);
  return (
    <StateBar
      tone="notice"
      action={
        <Button kind="quiet" onClick={() => store.rowActions.showAgent(null)}>
          {logGone ? "First agent" : "Main thread"}
        </Button>
      }
    >
      {agent ? (
        <span className="inline-flex max-w-full min-w-0 items-center gap-2 align-bottom">
          <LaneShape lane={agent.lane} />
          <span className="truncate font-semibold">
            <VisibleText text={nameOfAgent(agent)} />
          </span>
          <span className="flex-none text-fg-2 tabular-nums">{agentFigures(agent).join(" · ")}</span>
        </span>
      ) : (
        "Agent thread"
      )}
      {logGone && ". The session’s main log is missing"}
    </StateBar>
  );
}
