import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { CallData } from "./call-data";

/** A tool that this page has never heard of: its input by key, its output as it came. */
export function RawToolView({ row, call }: ToolViewProps) {
  return <CallData row={row} call={call} facts={<span>a tool without a view; shown as it is logged</span>} />;
}
