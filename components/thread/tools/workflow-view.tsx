import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/content/code/code-block";
import { textField } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { Button } from "@/components/ui/button";
import { api } from "@/lib/client/api";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import type { AgentEntry } from "@/lib/wire/session";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { WorkflowAgents } from "./workflow-agents";
import { readWorkflowScript } from "./workflow-script";

/** A scripted fan-out of agents (2.1.220 on): its phases, and the agents that ran in each. */
export function WorkflowView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const [asked, setAsked] = useState(false);
  const script = textField(call.input, "script");
  const plan = readWorkflowScript(script ?? "");
  const structured = call.results[0]?.structured;
  const agents = useQuery({
    queryKey: ["agents", sessionId, "of-call"],
    queryFn: ({ signal }) => api.agents(sessionId, { limit: 500 }, { signal }),
    gcTime: 30_000,
  });
  const own = agents.data?.agents.filter((agent) => isOf(agent, call)) ?? [];
  const tokens = own.reduce((sum, agent) => sum + agent.tokens, 0);
  const failed = call.results.some(({ isError }) => isError);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="truncate font-mono">{textField(structured, "workflowName") ?? plan.name}</span>
          <span>
            {plan.phases.length > 0 && `${formatPlural(plan.phases.length, "phase")}, `}
            {formatPlural(own.length || plan.agents.length, "agent")}
            {tokens > 0 && `, ${formatCompact(tokens)} tokens`}
          </span>
          <span className="truncate text-fg-3">{textField(structured, "summary") ?? plan.description}</span>
        </>
      }
      actions={
        script && (
          <Button kind="quiet" className="h-5 px-1.5" pressed={asked} onClick={() => setAsked(!asked)}>
            Script
          </Button>
        )
      }
      copy={{ label: "Copy script", text: script ?? "" }}
      wrappable
    >
      {asked && script && <CodeBlock text={script} firstLine={1} language="javascript" />}
      {failed || call.results.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <WorkflowAgents plan={plan} agents={own} />
      )}
    </OpenedBlock>
  );
}

/** An agent of a workflow names the call, or its run, that started it. */
function isOf(agent: AgentEntry, call: ToolViewProps["call"]): boolean {
  if (call.toolUseId !== null && agent.parentToolUseId === call.toolUseId) return true;
  return agent.parentRecordId === call.recordId;
}
