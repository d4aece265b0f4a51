import type { ReactElement } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { nameOfAgent } from "@/components/session/use-agents";
import { LaneShape, RunningRing } from "@/components/ui/marks";
import { Elapsed } from "@/components/ui/time";
import { formatCompact, formatCost, formatDuration, formatElapsed, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { RecordId } from "@/lib/wire/ids";
import { formatAgentState } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import { OutlineRow } from "./outline-row";

/** Indentation by depth; an agent of the main thread has depth 1. */
const INDENTS = ["", "", "pl-3", "pl-6"];

/**
 * An agent in the outline, with its state and how long it took. A click goes to its call, or shows its thread where
 * no call is known.
 */
export function AgentLine({
  agent,
  current,
  onGo,
}: {
  agent: AgentEntry;
  /** Its thread is the one that is shown. */
  current: boolean;
  onGo: (recordId: RecordId) => void;
}) {
  const { showAgent } = useThreadActions();
  const { agentId, lane, depth, parentRecordId, state, startedAtMs, durationMs } = agent;
  const ended = formatAgentState(state);
  return (
    <div className={INDENTS[Math.min(depth, 3)]}>
      <OutlineRow
        sub
        mark={<LaneShape lane={lane} />}
        current={current}
        title={labelHidden(titleOf(agent))}
        onClick={() => (parentRecordId ? onGo(parentRecordId) : showAgent(agentId))}
        facts={
          state === "running" ? (
            <span className="flex items-center gap-1.5 text-run">
              <RunningRing label="running" />
              <Elapsed sinceMs={startedAtMs} format={formatElapsed} />
            </span>
          ) : (
            <>
              {ended && <span className={state === "failed" ? "text-err" : "text-warn"}>{ended}</span>}
              {durationMs !== null && <span>{formatDuration(durationMs)}</span>}
            </>
          )
        }
      >
        <VisibleText text={nameOfAgent(agent)} />
      </OutlineRow>
    </div>
  );
}

const PART_LINES = 50;

/**
 * Lines of agents. A session may have thousands, and whatever lies on the page is gone through for each frame in which
 * anything moves: parts that are off screen cost neither layout nor paint.
 */
export function AgentLines({ children }: { children: readonly ReactElement[] }) {
  if (children.length <= PART_LINES) return children;
  const parts = Array.from({ length: Math.ceil(children.length / PART_LINES) }, (_, part) =>
    children.slice(part * PART_LINES, (part + 1) * PART_LINES),
  );
  return parts.map((part) => (
    <div
      key={part[0]?.key}
      className="[content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto calc(${part.length * 24}px * var(--u))` }}
    >
      {part}
    </div>
  ));
}

function titleOf(agent: AgentEntry): string {
  const { type, description, state, toolCalls, tokens, cost, durationMs } = agent;
  const facts = [
    state === "done" ? "done" : formatAgentState(state),
    formatPlural(toolCalls, "tool"),
    tokens > 0 && `${formatCompact(tokens)} tokens`,
    tokens > 0 && formatCost(cost.microUsd, cost.unpricedTokens),
    durationMs !== null && state !== "running" && formatDuration(durationMs),
  ];
  return `${[type, description].filter(Boolean).join(": ")}\n${facts.filter(Boolean).join(" · ")}`;
}
