import { useQuery } from "@tanstack/react-query";
import { useThreadActions } from "@/components/content/row-actions";
import { DetailState } from "@/components/ui/detail-state";
import { api } from "@/lib/client/api";
import type { CallDetail } from "@/lib/wire/record";
import type { ToolRow } from "@/lib/wire/rows";
import { McpView } from "./mcp-view";
import { NotRunView, whyNotRun } from "./not-run-view";
import { RawToolView } from "./raw-tool-view";
import { TOOL_VIEWS } from "./registry";

/** Below an opened tool row: its call, read from the log, in the tool's own view. */
export function ToolDetail({ row }: { row: ToolRow }) {
  const { sessionId } = useThreadActions();
  const call = useQuery({
    // The state belongs to the key: a running call is read again when it has ended.
    queryKey: ["call", sessionId, row.recordId, row.block, row.state],
    queryFn: ({ signal }) => api.call(sessionId, row.recordId, row.block, { signal }),
    staleTime: 60_000,
    gcTime: 30_000,
    structuralSharing: false,
    // What is shown of a call that has just ended stays until its result is there.
    placeholderData: (before, query) => (isOf(query?.queryKey, row) ? before : undefined),
  });
  if (!call.data) return <DetailState query={call} />;
  const View = viewOf(row, call.data);
  return <View row={row} call={call.data} />;
}

function isOf(key: readonly unknown[] | undefined, { recordId, block }: ToolRow): boolean {
  return key?.[2] === recordId && key[3] === block;
}

function viewOf(row: ToolRow, call: CallDetail) {
  if (whyNotRun({ call })) return NotRunView;
  return row.server === null ? (TOOL_VIEWS.get(row.name) ?? RawToolView) : McpView;
}
