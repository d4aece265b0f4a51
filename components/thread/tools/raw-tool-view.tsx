import { CallData } from "./call-data";
import type { ToolViewProps } from "./tool-view-props";

/** A tool that this page has never heard of: its input by key, its output as it came. */
export function RawToolView({ row, call }: ToolViewProps) {
  return <CallData row={row} call={call} facts={<span>a tool without a view; shown as it is logged</span>} />;
}
