import { useQuery } from "@tanstack/react-query";
import { Maximize2 } from "lucide-react";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { IconButton } from "@/components/ui/icon-button";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { api } from "@/lib/client/api";
import { formatCompact } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import type { AgentId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import { PaneFrame } from "./pane-frame";
import { PaneThread } from "./pane-thread";

/** An agent's thread beside the one that started it. Its own agents open further panes. */
export function AgentPane({
  agentId,
  detail,
  onClose,
}: {
  agentId: AgentId;
  detail: Detail;
  onClose: () => void;
}) {
  const { sessionId, showAgent } = useThreadActions();
  const { data, isPending } = useQuery({
    queryKey: ["agents", sessionId],
    queryFn: ({ signal }) => api.agents(sessionId, { limit: 200 }, { signal }),
  });
  const agent = data?.agents.find((one) => one.agentId === agentId) ?? null;
  const isRunning = agent?.state === "running";
  const lane = agent?.lane ?? 0;
  const name = agent?.description ?? agent?.type ?? "agent";
  return (
    <PaneFrame
      label={`Agent ${name}`}
      onClose={onClose}
      head={
        <>
          <LaneShape lane={lane} />
          <span className="truncate font-semibold">
            <VisibleText text={name} />
          </span>
          <span className="min-w-0 flex-[0_1000_auto] truncate text-fg-3 tabular-nums">
            {agent && factsOf(agent).join(" · ")}
          </span>
          {isRunning && (
            <span className="flex flex-none text-run">
              <RunningRing label="running" />
            </span>
          )}
        </>
      }
      actions={
        <IconButton icon={Maximize2} small label="Read this agent alone" onClick={() => showAgent(agentId)} />
      }
    >
      {/* Only now is it known whether the agent runs: then its thread opens at its end. */}
      {isPending ? (
        <SkeletonRows count={6} label="Loading the agent" />
      ) : (
        <PaneThread agentId={agentId} name={name} lane={lane} isRunning={isRunning} detail={detail} />
      )}
    </PaneFrame>
  );
}

function factsOf({ description, type, tokens, durationMs, state }: AgentEntry): string[] {
  return [
    description ? type : null,
    tokens > 0 ? formatCompact(tokens) : null,
    durationMs !== null && state !== "running" ? formatDuration(durationMs) : null,
    state === "failed" ? "failed" : state === "interrupted" ? "stopped" : null,
  ].filter((fact) => fact !== null);
}
