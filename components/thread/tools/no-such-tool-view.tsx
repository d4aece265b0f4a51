import { OpenedBlock } from "../opened-block";
import { CallFacts } from "./call-facts";
import { KeyValues } from "./key-values";
import { OutputBlocks } from "./output-blocks";
import { SectionLine } from "./section-line";
import { resultText } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** Whether the client had no such tool to run: what the model asked for is all there is to a call. */
export function isNoSuchTool({ call }: Pick<ToolViewProps, "call">): boolean {
  return call.results.some(({ isError }) => isError) && /No such tool available/.test(resultText(call).text);
}

/** A call of a tool that the client does not have, or did not offer in this session. */
export function NoSuchToolView({ row, call }: ToolViewProps) {
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={{ ...row, result: "no such tool" }} />
          <span className="font-mono">{row.name}</span>
        </>
      }
      copy={{ label: "Copy input", text: () => JSON.stringify(call.input, null, 2) }}
    >
      <OutputBlocks row={row} call={call} />
      <SectionLine>called with</SectionLine>
      <div className="px-3 py-1.5">
        <KeyValues value={call.input} />
      </div>
    </OpenedBlock>
  );
}
