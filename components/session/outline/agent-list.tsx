import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenBeside } from "@/components/thread/rows/open-beside";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { cx } from "@/lib/client/class-names";
import { withTokens } from "@/lib/format/format-tokens";
import type { RecordId } from "@/lib/wire/ids";
import type { AgentEntry } from "@/lib/wire/session";
import { OutlineRow } from "./outline-row";

/** By depth; 1 for an agent of the main thread. */
const INDENTS = ["", "", "pl-3", "pl-6"];

const STATES: Partial<Record<AgentEntry["state"], string>> = { failed: "failed", interrupted: "stopped" };

/** The session's agents, nested ones indented; a click goes to the call that started one, or shows one whose call is not known. */
export function AgentList({
  agents,
  more,
  onGo,
}: {
  agents: readonly AgentEntry[];
  more: boolean;
  onGo: (recordId: RecordId) => void;
}) {
  const { showAgent } = useThreadActions();
  if (agents.length === 0) return <p className="px-3 py-2 text-12 text-fg-3">No agents in this session.</p>;
  return (
    <>
      {agents.map(({ agentId, lane, description, type, state, toolCalls, tokens, depth, parentRecordId }) => (
        <div
          key={agentId}
          className={cx("grid grid-cols-[minmax(0,1fr)_auto] items-center pr-2", INDENTS[Math.min(depth, 3)])}
        >
          <OutlineRow
            sub
            mark={<LaneShape lane={lane} />}
            title={[type, description].filter(Boolean).join(": ")}
            onClick={() => (parentRecordId ? onGo(parentRecordId) : showAgent(agentId))}
            facts={
              <>
                {state === "running" && (
                  <span className="text-run">
                    <RunningRing label="running" />
                  </span>
                )}
                {STATES[state] && <span className="text-err">{STATES[state]}</span>}
                <span>{withTokens(String(toolCalls), tokens)}</span>
              </>
            }
          >
            <VisibleText text={description ?? type ?? agentId} />
          </OutlineRow>
          <OpenBeside agentId={agentId} name={description ?? type ?? ""} />
        </div>
      ))}
      {more && <p className="px-3 py-2 text-11 text-fg-3">Only the first {agents.length} are listed.</p>}
    </>
  );
}
