import { VisibleText } from "@/components/content/text/visible-text";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { CallData } from "./call-data";

/** A tool of an MCP server: whose it is, and what it sent, as a table or tree where it has structure. */
export function McpView({ row, call }: ToolViewProps) {
  const structured = call.results.some(({ content }) => content !== null);
  return (
    <CallData
      row={row}
      call={call}
      facts={
        <>
          <span className="truncate font-mono">
            <VisibleText text={`${row.server} / ${row.name}`} />
          </span>
          {structured && <span>structured</span>}
        </>
      }
    />
  );
}
