import { clsx } from "clsx";
import { createContext, type ReactNode } from "react";
import { LANE_PATHS, LANE_TEXT, laneIndex } from "@/components/ui/marks";
import type { Row, ToolRow } from "@/lib/wire/rows";

/** What is drawn on the spine beside a row. */
export type NodeShape =
  | { shape: "none" }
  | {
      shape:
        | "tool"
        | "text"
        | "thinking"
        | "edit"
        | "error"
        | "timed-out"
        | "denied"
        | "interrupted"
        | "running"
        | "asking"
        | "hook"
        | "queued"
        | "command"
        | "unreadable"
        | "unknown"
        | "fork"
        | "run";
    }
  | { shape: "agent-call" | "agent-return"; lane: number };

/**
 * Drawn in a 24 × 24 box centred on the spine; the box takes up no height. A halo in the row's background separates the
 * node from the spine. `placed` stacks it above lanes that cross it.
 */
export function RailNode({ node, placed }: { node: NodeShape; placed: boolean }) {
  if (node.shape === "none") return null;
  return (
    <svg
      viewBox="0 0 24 24"
      className={clsx(
        "mt-[calc((var(--row)-24px)/2)] -mb-6 ml-[calc(var(--spine-x)-12px)] size-6 overflow-visible fill-none stroke-current",
        placed && "relative",
      )}
    >
      {drawing(node)}
    </svg>
  );
}

const TITLES: Record<Exclude<NodeShape, { shape: "none" }>["shape"], string> = {
  tool: "Tool call",
  text: "Answer",
  thinking: "Thinking",
  edit: "File changed",
  error: "Failed",
  "timed-out": "Timed out",
  denied: "Denied",
  interrupted: "Interrupted",
  running: "Running",
  asking: "Waiting for the user",
  hook: "Hook",
  queued: "Queued prompt",
  command: "Command",
  unreadable: "Unreadable line",
  unknown: "Unknown record",
  fork: "Branches from here",
  run: "Folded calls",
  "agent-call": "Agent started",
  "agent-return": "Agent returned",
};

/** A node's tooltip. */
export function formatNode({ shape }: NodeShape): string | undefined {
  return shape === "none" ? undefined : TITLES[shape];
}

const SOLID = "fill-current stroke-(--ground) stroke-2 [paint-order:stroke]";
const HOLLOW = "fill-(--ground) [stroke-width:1.5]";

function drawing(node: Exclude<NodeShape, { shape: "none" }>): ReactNode {
  switch (node.shape) {
    case "tool":
      return <circle className={`${SOLID} text-spine`} cx="12" cy="12" r="3.5" />;
    case "text":
      return <circle className={`${SOLID} text-spine`} cx="12" cy="12" r="2.5" />;
    case "thinking":
      return <circle className={`${HOLLOW} text-spine`} cx="12" cy="12" r="2.8" />;
    case "edit":
      return <path className={`${SOLID} text-edit`} d="M12 7l5 5-5 5-5-5z" />;
    case "error":
      return (
        <>
          <path className="stroke-(--ground) stroke-5" d="M8.5 8.5l7 7M15.5 8.5l-7 7" />
          <path className="stroke-2 text-err" d="M8.5 8.5l7 7M15.5 8.5l-7 7" />
        </>
      );
    case "timed-out":
      return (
        <g className="text-err">
          <circle className={HOLLOW} cx="12" cy="12" r="4.5" />
          <path className="[stroke-width:1.3]" d="M12 9.4V12l2 1.3" />
        </g>
      );
    case "denied":
      return (
        <g className="text-warn">
          <circle className={HOLLOW} cx="12" cy="12" r="4.2" />
          <path className="[stroke-width:1.5]" d="M9.2 9.2l5.6 5.6" />
        </g>
      );
    case "interrupted":
      return <path className={`${HOLLOW} text-fg-2`} d="M8.5 8.5h7v7h-7z" />;
    case "running":
    case "asking":
      return (
        <g className={node.shape === "asking" ? "text-warn" : "text-run"}>
          <circle className={HOLLOW} cx="12" cy="12" r="4.2" />
          <circle className="fill-current stroke-none" cx="12" cy="12" r="1.8" />
        </g>
      );
    case "hook":
      return <path className={`${HOLLOW} text-spine`} d="M12 8.5l3.5 3.5-3.5 3.5-3.5-3.5z" />;
    case "queued":
      return <path className={`${HOLLOW} text-fg`} d="M5.5 8.5h13v7h-13z" />;
    case "command":
      return <path className={`${SOLID} text-fg`} d="M5 8h14v8H5z" />;
    case "unreadable":
      return <path className={`${HOLLOW} text-err [stroke-dasharray:2_1.5]`} d="M8 8.5h8v7H8z" />;
    case "unknown":
      return <path className={`${HOLLOW} text-spine [stroke-dasharray:2_1.5]`} d="M8 8.5h8v7H8z" />;
    case "fork":
      return <path className={`${HOLLOW} text-fg-2`} d="M12 7.5l4.5 4.5-4.5 4.5-4.5-4.5z" />;
    case "run":
      return (
        <>
          <path className={`${SOLID} text-(--ground)`} d="M8.5 7h7v10h-7z" />
          <path className="stroke-2 text-spine" d="M8.5 8h7M8.5 12h7M8.5 16h7" />
        </>
      );
    case "agent-call":
      return <AgentMark lane={node.lane} x={24} stem />;
    case "agent-return":
      return <AgentMark lane={node.lane} x={12} stem={false} />;
  }
}

/** An agent's shape: beside the spine where it leaves, on the spine where its answer returns. */
function AgentMark({ lane, x, stem }: { lane: number; x: number; stem: boolean }) {
  const index = laneIndex(lane);
  return (
    <g className={LANE_TEXT[index]}>
      {stem && <path className="stroke-2" d={`M12 12H${x - 3}`} />}
      <path
        className="fill-current stroke-(--ground) stroke-2 [paint-order:stroke]"
        transform={`translate(${x - 5} 7)`}
        d={LANE_PATHS[index]}
      />
    </g>
  );
}

const STATE_NODES: Partial<Record<ToolRow["state"], NodeShape>> = {
  error: { shape: "error" },
  running: { shape: "running" },
  denied: { shape: "denied" },
  interrupted: { shape: "interrupted" },
  "timed-out": { shape: "timed-out" },
};

/** Whether the call is waiting for the person's answer, as its result says. */
export function asksPerson({ state, result }: Pick<ToolRow, "state" | "result">): boolean {
  return state === "running" && result !== null;
}

/** A call's node: a leaving agent, the call's outcome, or what it did. */
export function callNode(row: ToolRow): NodeShape {
  if (row.agent) return { shape: "agent-call", lane: row.agent.lane };
  if (asksPerson(row)) return { shape: "asking" };
  return STATE_NODES[row.state] ?? { shape: row.added !== null || row.removed !== null ? "edit" : "tool" };
}

/** What the rail beside a row needs: the agents that are running, and the branch that the spine is on. */
export type RailRow = Pick<Row, "lanes" | "passing" | "spine"> & {
  fork?: Extract<Row, { kind: "fork" }>;
  /** The turn's duration, which is the scale of its spans; `null` until the turn's header is loaded. */
  turnMs: number | null;
};

/** Provided by the row for the rail and the span inside it, wherever its view renders them. */
export const RailRowContext = createContext<RailRow | null>(null);
