import { OpenedBlock } from "../opened-block";
import { CallFacts } from "./call-facts";
import { KeyValues } from "./key-values";
import { OutputBlocks } from "./output-blocks";
import { SectionLine } from "./section-line";
import type { ToolViewProps } from "./tool-view-props";

/** A tool without a view of its own, an MCP tool among them: its input by key, its output as it came. */
export function RawToolView({ row, call }: ToolViewProps) {
  return (
    <OpenedBlock
      row={row}
      facts={<CallFacts row={row}>{row.server ? `${row.server} / ${row.name}` : null}</CallFacts>}
      copy={{ label: "Copy input", text: () => JSON.stringify(call.input, null, 2) }}
      wrappable
    >
      <div className="px-3 py-1.5">
        <KeyValues value={call.input} />
      </div>
      <SectionLine>{call.results.length === 0 ? "no result in the log" : "result"}</SectionLine>
      <OutputBlocks row={row} call={call} />
    </OpenedBlock>
  );
}
