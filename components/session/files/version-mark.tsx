import { LaneShape } from "@/components/ui/marks";
import type { FileStepKind } from "@/lib/wire/files";
import type { AgentId } from "@/lib/wire/ids";

/** The lane of an agent, 0 for the main thread. */
export type LaneOf = (agentId: AgentId | null) => number;

/** What an agent is called; `null` for the main thread, and while agents are not known. */
export type NameOf = (agentId: AgentId | null) => string | null;

/** What made a version: a diamond for the main thread, an agent's own shape, dashes for what is in no log. */
export function VersionMark({ kind, lane }: { kind: FileStepKind; lane: number }) {
  if (kind === "outside" || kind === "deleted")
    return (
      <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 flex-none text-warn">
        <rect
          x="1.5"
          y="1.5"
          width="7"
          height="7"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray={kind === "deleted" ? "2 1.5" : undefined}
        />
      </svg>
    );
  if (kind === "read")
    return (
      <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 flex-none text-fg-3">
        <circle cx="5" cy="5" r="3" fill="currentColor" />
      </svg>
    );
  if (lane > 0) return <LaneShape lane={lane} className="size-2.5 flex-none" />;
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 flex-none text-edit">
      <path d="M5 .3 9.7 5 5 9.7.3 5z" fill="currentColor" />
    </svg>
  );
}
