import { resultText } from "@/components/content/log-values";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

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
