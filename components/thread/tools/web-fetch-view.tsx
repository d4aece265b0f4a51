import { numberField, resultText, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { OutsideLink } from "@/components/content/text/outside-link";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatBytes } from "@/lib/format/format-bytes";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** A page that the model had read, and the answer made of it. Nothing is fetched again. */
export function WebFetchView({ row, call }: ToolViewProps) {
  const url = textField(call.input, "url") ?? row.subject;
  const prompt = textField(call.input, "prompt");
  const structured = call.results[0]?.structured;
  const code = numberField(structured, "code");
  const bytes = numberField(structured, "bytes");
  const answered = call.results.length > 0 && !call.results.some(({ isError }) => isError);
  const { text } = resultText(call);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span className="min-w-0 truncate font-mono">
            <OutsideLink target={url} />
          </span>
          {code !== null && (
            <span>{[code, textField(structured, "codeText")].filter(Boolean).join(" ")}</span>
          )}
          {bytes !== null && <span>{formatBytes(bytes)}</span>}
          <span className="truncate text-fg-3">not opened here</span>
        </>
      }
      copy={{ label: "Copy answer", text }}
    >
      {prompt && (
        <p className="max-w-measure px-3 pt-2 text-fg-3">
          Asked: <VisibleText text={prompt} />
        </p>
      )}
      {answered ? <Markdown text={text} className="px-3 py-2" /> : <OutputBlocks row={row} call={call} />}
    </OpenedBlock>
  );
}
