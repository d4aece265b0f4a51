import { useState } from "react";
import { OutputText } from "@/components/content/code/output-text";
import { resultText, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { LookButtons } from "@/components/content/text/look-buttons";
import { shortenPath } from "@/components/content/text/shorten-path";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

const LOOKS = [
  { value: "rendered", label: "Rendered" },
  { value: "source", label: "Source" },
] as const;

/** A plan put to the person, whether they took it, and what they said. */
export function PlanView({ row, call }: ToolViewProps) {
  const [look, setLook] = useState<"rendered" | "source">("rendered");
  const structured = call.results[0]?.structured;
  const plan = textField(structured, "plan") ?? textField(call.input, "plan") ?? approvedPlan(call);
  const refused = call.results.some(({ isError }) => isError);
  const path = textField(structured, "filePath") ?? textField(call.input, "planFilePath");
  const verdict = call.results.length === 0 ? null : refused ? "not accepted" : "accepted";
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          {verdict && (
            <span className={refused ? "font-semibold text-warn" : "font-semibold"}>{verdict}</span>
          )}
          <CallFacts row={{ ...row, state: verdict ? "ok" : row.state }} />
          {path && <span className="truncate font-mono text-fg-3">{shortenPath(path, call.cwd)}</span>}
        </>
      }
      actions={plan && <LookButtons looks={LOOKS} look={look} onChange={setLook} />}
      copy={{ label: "Copy plan", text: plan }}
      wrappable={look === "source"}
    >
      {!plan && <p className="px-3 py-1 text-12 text-fg-3">The log does not hold the plan’s text.</p>}
      {plan &&
        (look === "source" ? <OutputText text={plan} /> : <Markdown text={plan} className="px-3 py-2" />)}
      {(refused || call.results.length === 0) && (
        <div className="border-t border-line">
          <OutputBlocks row={refused ? { ...row, state: "denied" } : row} call={call} />
        </div>
      )}
    </OpenedBlock>
  );
}

/** From 2.0.76 on the plan can be in a file alone; the result repeats it. */
function approvedPlan(call: ToolViewProps["call"]): string {
  return /## Approved Plan[^\n]*\n([\s\S]+)$/.exec(resultText(call).text)?.[1] ?? "";
}
