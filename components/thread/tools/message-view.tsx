import { Markdown } from "../markdown/markdown";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { fieldsOf, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** SendMessage: to whom, what, and whether it was taken. */
export function MessageView({ row, call }: ToolViewProps) {
  const { input } = call;
  const to = textField(input, "to") ?? textField(input, "recipient") ?? "";
  const message = textField(input, "message") ?? textField(input, "content") ?? "";
  const structured = call.results[0]?.structured;
  const answer = textField(structured, "message");
  const failed = call.results.some(({ isError }) => isError);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {fieldsOf(structured).success === true && <span>delivered</span>}
          <span className="truncate font-mono">
            to <VisibleText text={to} />
          </span>
          {textField(input, "summary") && (
            <span className="truncate text-fg-3">
              <VisibleText text={textField(input, "summary") ?? ""} />
            </span>
          )}
        </>
      }
      copy={{ label: "Copy message", text: message }}
    >
      <Markdown text={message} className="px-3 py-2" />
      {failed || answer === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <p className="border-t border-line bg-panel px-3 py-1.5 text-12 text-fg-2">
          <VisibleText text={answer} />
        </p>
      )}
    </OpenedBlock>
  );
}
