import { Markdown } from "../markdown/markdown";
import { MarkdownLink } from "../markdown/markdown-link";
import { OpenedBlock } from "../opened-block";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** A page that the model had read, and the answer made of it. Nothing is fetched again. */
export function WebFetchView({ row, call }: ToolViewProps) {
  const url = textField(call.input, "url") ?? row.subject;
  const prompt = textField(call.input, "prompt");
  const failed = call.results.some(({ isError }) => isError);
  const { text } = resultText(call);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="truncate font-mono">
            <MarkdownLink target={url}>
              <VisibleText text={url} />
            </MarkdownLink>
          </span>
        </>
      }
      copy={{ label: "Copy answer", text }}
    >
      <div className="px-3 py-2">
        {prompt && (
          <p className="mb-1.5 max-w-measure text-fg-3">
            Asked: <VisibleText text={prompt} />
          </p>
        )}
        {failed ? <OutputBlocks row={row} call={call} /> : <Markdown text={text} />}
      </div>
    </OpenedBlock>
  );
}
