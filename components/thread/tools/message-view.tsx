import { fieldsOf, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

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
