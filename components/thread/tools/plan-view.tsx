import { Markdown } from "../markdown/markdown";
import { OpenedBlock } from "../opened-block";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** A plan put to the person, and what they said. */
export function PlanView({ row, call }: ToolViewProps) {
  const plan = textField(call.input, "plan") ?? textField(call.results[0]?.structured, "plan") ?? "";
  const refused = call.results.some(({ isError }) => isError);
  const answer = resultText(call).text;
  return (
    <OpenedBlock
      row={row}
      facts={<CallFacts row={row}>plan</CallFacts>}
      copy={{ label: "Copy plan", text: plan }}
      wrappable
    >
      {plan && <Markdown text={plan} className="px-3 py-2" />}
      {(refused || !plan) && answer && (
        <div className="border-t border-line bg-panel">
          <OutputBlocks row={row} call={call} />
        </div>
      )}
    </OpenedBlock>
  );
}
