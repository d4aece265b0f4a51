import type { ReactNode } from "react";
import { LANE_TEXT, laneIndex } from "@/components/ui/lane-shape";
import { type NodeShape, RailNode } from "./rail-node";

/** The column left of a row: the spine, which never moves, and the row's node on it. */
export function Rail({
  node,
  lane = 0,
  broken = false,
  children,
}: {
  node: NodeShape;
  /** Whose spine: 0 the main thread's, else an agent's lane. */
  lane?: number;
  /** The spine stops here for what stands on it (a compaction). */
  broken?: boolean;
  children?: ReactNode;
}) {
  return (
    <div aria-hidden="true" className="relative">
      {!broken && (
        <span
          className={`absolute inset-y-0 left-(--spine-x) -ml-px border-l-2 border-current ${LANE_TEXT[laneIndex(lane)]}`}
        />
      )}
      <RailNode node={node} />
      {children}
    </div>
  );
}
