import { LaneShape } from "@/components/ui/lane-shape";
import type { Row } from "@/lib/wire/rows";

/** A row's shape as the picture has it. */
export function RowSign({ row }: { row: Row }) {
  if (row.kind === "tool" && row.agent) return <LaneShape lane={row.agent.lane} />;
  if (row.kind === "agent-return") return <LaneShape lane={row.lane} />;
  const [className, path] = shapeOf(row);
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" width="14" height="14" className={`flex-none ${className}`}>
      <path d={path} />
    </svg>
  );
}

function shapeOf(row: Row): [className: string, path: string] {
  if (row.kind === "turn") return ["fill-fg", "M2 3.5h10v7H2z"];
  if (row.kind === "compaction") return ["fill-none stroke-fg-2", "M5 2v10M9 2v10"];
  if (row.kind === "fork") return ["fill-none stroke-fg-2", "M7 2.5L11.5 7 7 11.5 2.5 7z"];
  if (row.kind === "thinking")
    return ["fill-none stroke-spine", "M7 4.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6z"];
  if (row.kind !== "tool") return ["fill-spine", "M7 4.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 1 1 0-4.4z"];
  switch (row.state) {
    case "error":
    case "timed-out":
      return ["fill-none stroke-err [stroke-width:1.8]", "M4 4l6 6M10 4l-6 6"];
    case "denied":
      return ["fill-none stroke-warn", "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM4.5 4.5l5 5"];
    case "running":
      return ["fill-none stroke-run [stroke-width:1.5]", "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8z"];
    case "interrupted":
      return ["fill-none stroke-fg-2", "M4 4h6v6H4z"];
    default:
      return row.added !== null || row.removed !== null
        ? ["fill-edit", "M7 2l5 5-5 5-5-5z"]
        : ["fill-spine", "M7 3.8a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4z"];
  }
}
