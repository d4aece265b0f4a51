import { type ReactNode, useContext } from "react";
import { LANE_TEXT, laneIndex } from "@/components/ui/lane-shape";
import { cx } from "@/lib/client/class-names";
import { ForkStubs } from "./fork-stubs";
import { RailLanes } from "./rail-lanes";
import { type NodeShape, nodeWords, RailNode } from "./rail-node";
import { RailRowContext } from "./rail-row";

const DOTS: Partial<Record<NodeShape["shape"], string>> = {
  tool: "spine-tool",
  text: "spine-text",
  thinking: "spine-thinking",
};

/** The column left of a row: the spine, which never moves, the agents that are out, and the row's node. */
export function Rail({
  node,
  lane = 0,
  broken = false,
  opens = false,
  children,
}: {
  node: NodeShape;
  /** Whose spine: 0 the main thread's, else an agent's lane. */
  lane?: number;
  /** The spine stops here for what stands on it (a compaction). */
  broken?: boolean;
  /** Below the row's line something may be open, beside which it stands as well. */
  opens?: boolean;
  children?: ReactNode;
}) {
  const row = useContext(RailRowContext);
  const lanes = row?.lanes ?? [];
  const fork = row?.fork;
  const colour = LANE_TEXT[laneIndex(row?.spine ?? lane)];
  const above = LANE_TEXT[laneIndex(fork?.spineAbove ?? lane)];
  const endsHere = fork?.branches.some((way) => way.current && way.endsHere) === true;
  // Most nodes are dots, drawn with the spine: a drawing of its own is two elements more in each row.
  const dot = lanes.length === 0 && !fork && !broken ? DOTS[node.shape] : undefined;
  // Its shape stands in its own column then.
  const own =
    node.shape === "agent-call" ? lanes.findLast(([, , phase]) => phase === 1 || phase === 3) : undefined;
  return (
    <div
      aria-hidden="true"
      title={nodeWords(node)}
      className={cx(
        opens && "row-span-2",
        !broken && !fork && `${dot ?? "spine"} ${colour}`,
        (broken || fork || lanes.length > 0 || children !== undefined) && "relative",
      )}
    >
      {fork && (
        <>
          <span
            className={cx("absolute top-0 left-(--spine-x) -ml-px h-3 border-l-2 border-current", above)}
          />
          {!endsHere && (
            <span
              className={cx(
                "absolute top-3 bottom-0 left-(--spine-x) -ml-px border-l-2 border-current",
                colour,
              )}
            />
          )}
          <ForkStubs branches={fork.branches} />
        </>
      )}
      {broken && (
        <span className={colour}>
          <span className="absolute top-0 left-(--spine-x) -ml-px h-4 border-l-2 border-current" />
          <span className="absolute top-4 left-[calc(var(--spine-x)-8px)] h-2 w-4 border-y-2 border-fg-2" />
          <span className="absolute top-6 bottom-0 left-(--spine-x) -ml-px border-l-2 border-current" />
        </span>
      )}
      <RailLanes lanes={lanes} />
      {!own && !dot && <RailNode node={node} placed={lanes.length > 0 || fork !== undefined} />}
      {own && own[1] > 0 && (
        // On a narrow screen there is one column, and this agent is further out.
        <span className="sm:hidden">
          <RailNode node={{ shape: "agent-return", lane: own[0] }} placed />
        </span>
      )}
      {children}
    </div>
  );
}
