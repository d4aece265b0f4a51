import { OpenedBlock } from "../opened-block";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { resultText } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** EnterPlanMode: from here on the model reads and plans, and changes nothing. */
export function PlanModeView({ row, call }: ToolViewProps) {
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>plan mode</span>
        </>
      }
      copy={{ label: "Copy text", text: resultText(call).text }}
      wrappable
    >
      <OutputBlocks row={row} call={call} />
    </OpenedBlock>
  );
}
