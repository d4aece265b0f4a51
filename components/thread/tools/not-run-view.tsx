import { resultText } from "@/components/content/log-values";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { KeyValues } from "./key-values";
import { OutputBlocks } from "./output-blocks";

/** Why the client had nothing to run: what the model asked for is all there is to such a call. */
export function whyNotRun({ call }: Pick<ToolViewProps, "call">): "no such tool" | "wrong input" | null {
  if (!call.results.some(({ isError }) => isError)) return null;
  const { text } = resultText(call);
  if (/No such tool available/.test(text)) return "no such tool";
  return /^(?:<tool_use_error>)?(?:Error: )?InputValidationError/.test(text) ? "wrong input" : null;
}

/** A call of a tool that the client does not have or did not offer, or with input that the tool does not take. */
export function NotRunView({ row, call }: ToolViewProps) {
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={{ ...row, result: whyNotRun({ call }) }} />
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
