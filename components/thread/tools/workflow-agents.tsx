import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import type { AgentEntry } from "@/lib/wire/session";
import type { WorkflowScript } from "./workflow-script";

const STATES: Partial<Record<AgentEntry["state"], string>> = { failed: "failed", interrupted: "stopped" };

/** A workflow's phases with the agents that ran in each; what the script only plans is grey. */
export function WorkflowAgents({ plan, agents }: { plan: WorkflowScript; agents: readonly AgentEntry[] }) {
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
          <section key={phase} aria-label={phase || "Agents"}>
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
    <p className="flex h-6 items-center gap-2 border-y border-line bg-panel px-3 text-11 text-fg-3 first:border-t-0">
      <span className="font-semibold text-fg-2">
        <VisibleText text={name} />
      </span>
      {count > 0 && formatPlural(count, "agent")}
    </p>
  );
}

function AgentLine({ label, agent }: { label: string; agent: AgentEntry | null }) {
  const { showAgent } = useThreadActions();
  const word = agent ? STATES[agent.state] : null;
  return (
    <button
      type="button"
      disabled={!agent}
      onClick={() => showAgent(agent?.agentId ?? null)}
      title={agent ? "Show this agent’s thread" : "The log has no thread of this agent"}
      className="grid h-6 w-full grid-cols-[14px_minmax(0,1fr)_auto_56px_56px] items-center gap-x-2 px-3 text-left text-12 tabular-nums enabled:hover:bg-raised"
    >
      <span>{agent && <LaneShape lane={agent.lane} />}</span>
      <span className={agent ? "truncate" : "truncate text-fg-3"}>
        <VisibleText text={label} />
      </span>
      <span className={word ? "text-err" : "text-fg-2"}>
        {agent?.state === "running" && <RunningRing label="running" />}
        {word ?? (agent ? formatPlural(agent.toolCalls, "tool") : "planned")}
      </span>
      <span className="text-right text-fg-2">{agent && agent.tokens > 0 && formatCompact(agent.tokens)}</span>
      <span className="text-right text-fg-2">
        {agent?.durationMs != null && formatDuration(agent.durationMs)}
      </span>
    </button>
  );
}
