import { AnsiText } from "../ansi/ansi-text";
import { Markdown } from "../markdown/markdown";
import { OpenedBlock } from "../opened-block";
import { CallFacts } from "./call-facts";
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
        <p className="border-t border-line bg-panel px-3 py-1.5 text-12 whitespace-pre-wrap text-fg-2">
          <AnsiText text={answer} />
        </p>
      )}
    </OpenedBlock>
  );
}
