import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { CallData } from "./call-data";

/** A known tool that says all it does in its fields. */
export function PlainToolView({ row, call }: ToolViewProps) {
  return <CallData row={row} call={call} facts={<span className="font-mono">{row.name}</span>} />;
}
