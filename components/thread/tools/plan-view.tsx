import { useState } from "react";
import { OutputText } from "../code/output-text";
import { Markdown } from "../markdown/markdown";
import { OpenedBlock } from "../opened-block";
import { shortenPath } from "../text/shorten-path";
import { CallFacts } from "./call-facts";
import { LookButtons } from "./look-buttons";
import { OutputBlocks } from "./output-blocks";
import { resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

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
