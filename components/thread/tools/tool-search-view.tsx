import { listField, numberField, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** ToolSearch: the tools that were loaded on demand, by name. */
export function ToolSearchView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  const names = foundNames(call);
  const total = numberField(structured, "total_deferred_tools");
  const failed = call.results.some(({ isError }) => isError);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {!failed && <span>{formatPlural(names.length, "tool")} loaded</span>}
          {total !== null && <span>of {formatCount(total)} that wait</span>}
        </>
      }
      copy={{ label: "Copy names", text: names.join("\n") }}
    >
      {failed || call.results.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : names.length === 0 ? (
        <p className="px-3 py-1 text-12 text-fg-3">No tool of that name or kind.</p>
      ) : (
        <ul className="py-1 font-mono text-code">
          {names.map((name) => (
            <li key={name} className="truncate px-3 leading-[22px]">
              <VisibleText text={name} />
            </li>
          ))}
        </ul>
      )}
    </OpenedBlock>
  );
}

/** From the structured result, or, on agents' lines, from the `tool_reference` blocks. */
function foundNames({ results }: ToolViewProps["call"]): string[] {
  const listed = listField(results[0]?.structured, "matches").filter((name) => typeof name === "string");
  if (listed.length > 0) return listed;
  return results.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const name = block.kind === "other" ? textField(block.json, "tool_name") : null;
      return name === null ? [] : [name];
    }),
  );
}
