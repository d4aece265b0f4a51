import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/content/code/code-block";
import { hasFailed } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedCall, type ToolViewProps } from "@/components/thread/opened-block";
import { Button } from "@/components/ui/button";
import { LaneShape, RunningRing } from "@/components/ui/marks";
import { api } from "@/lib/client/api";
import { formatCompact, formatDuration, formatPlural } from "@/lib/format/format";
import { textField } from "@/lib/format/json-values";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { readWorkflowScript, type WorkflowScript } from "@/lib/tools/workflow-script";
import { formatAgentState } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import { OutputBlocks } from "./output-blocks";

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
  const failed = hasFailed(call);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
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
    </OpenedCall>
  );
}

/** An agent of a workflow names the call, or its run, that started it. */
function isOf(agent: AgentEntry, call: ToolViewProps["call"]): boolean {
  if (call.toolUseId !== null && agent.parentToolUseId === call.toolUseId) return true;
  return agent.parentRecordId === call.recordId;
}

/** A workflow's phases with the agents that ran in each; what the script only plans is grey. */
function WorkflowAgents({ plan, agents }: { plan: WorkflowScript; agents: readonly AgentEntry[] }) {
  const left = new Set(agents);
  const take = (label: string) => {
    const found = [...left].find(({ description }) => description === label);
    if (found) left.delete(found);
    return found ?? null;
  };
  const planned = plan.agents.map((one) => ({ ...one, agent: take(one.label) }));
  const phases = [...new Set([...plan.phases, ...planned.map(({ phase }) => phase ?? "")])];
  return (
    <div className="pb-1">
      {phases.map((phase) => {
        const here = planned.filter((one) => (one.phase ?? "") === phase);
        if (here.length === 0 && phase === "") return null;
        return (
          <section key={phase} aria-label={labelHidden(phase || "Agents")}>
            <PhaseLine name={phase || "Agents"} count={here.length} />
            {here.map(({ label, agent }, index) => (
              <AgentLine key={index} label={label} agent={agent} />
            ))}
          </section>
        );
      })}
      {left.size > 0 && (
        <section aria-label="More agents">
          <PhaseLine name={planned.length > 0 ? "Also started" : "Agents"} count={left.size} />
          {[...left].map((agent) => (
            <AgentLine key={agent.agentId} label={agent.description ?? agent.agentId} agent={agent} />
          ))}
        </section>
      )}
    </div>
  );
}

function PhaseLine({ name, count }: { name: string; count: number }) {
  return (
    <p
      data-log="none"
      className="flex h-6 items-center gap-2 border-y border-line bg-panel px-3 text-11 text-fg-3 first:border-t-0"
    >
      <span className="font-semibold text-fg-2">
        <VisibleText text={name} />
      </span>
      {count > 0 && formatPlural(count, "agent")}
    </p>
  );
}

function AgentLine({ label, agent }: { label: string; agent: AgentEntry | null }) {
  const { showAgent } = useThreadActions();
  const word = agent && agent.state !== "running" ? formatAgentState(agent.state) : "";
  return (
    <button
      type="button"
      disabled={!agent}
      onClick={() => showAgent(agent?.agentId ?? null)}
      title={agent ? "Show this agent’s thread" : "This agent’s thread is not in the log"}
      className="grid h-6 w-full grid-cols-[14px_minmax(0,1fr)_auto_56px_56px] items-center gap-x-2 px-3 text-left text-12 tabular-nums enabled:hover:bg-raised"
    >
      <span>{agent && <LaneShape lane={agent.lane} />}</span>
      <span className={agent ? "truncate" : "truncate text-fg-3"}>
        <VisibleText text={label} />
      </span>
      <span className={word ? "text-err" : "text-fg-2"}>
        {agent?.state === "running" && <RunningRing label="running" />}
        {word || (agent ? formatPlural(agent.toolCalls, "tool") : "planned")}
      </span>
      <span className="text-right text-fg-2">{agent && agent.tokens > 0 && formatCompact(agent.tokens)}</span>
      <span className="text-right text-fg-2">
        {agent?.durationMs != null && formatDuration(agent.durationMs)}
      </span>
    </button>
  );
}
