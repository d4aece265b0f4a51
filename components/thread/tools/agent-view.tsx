import { useState } from "react";
import { fieldsOf, resultText, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { Button } from "@/components/ui/button";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { AgentThread } from "./agent-thread";
import { LaterOutput } from "./later-output";
import { OutputBlocks } from "./output-blocks";
import { useKeptInlineThread } from "./use-inline-thread";

/** A sub-agent: what it was asked, its thread, opened in place, and its answer. */
export function AgentView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  // From 2.1.330 on an agent runs in the background: the call only says that it was started.
  const launched =
    fieldsOf(structured).isAsync === true || textField(structured, "status") === "async_launched";
  const isRunning = row.agent?.state === "running";
  const { isKept, forget } = useKeptInlineThread(row.agent?.agentId ?? null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const thread = chosen ?? (launched || isRunning || isKept);
  const { showAgent } = useThreadActions();
  const [asked, setAsked] = useState(false);
  const prompt = textField(call.input, "prompt");
  const type = textField(call.input, "subagent_type");
  const answer = resultText(call);
  const failed = call.results.length === 0 || call.results.some(({ isError }) => isError);
  const toggleThread = () => {
    if (thread) forget();
    setChosen(!thread);
  };
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {type && <span>{type}</span>}
          {row.agent && (
            <span>
              {formatPlural(row.agent.toolCalls, "tool")}
              {row.agent.tokens > 0 && `, ${formatCompact(row.agent.tokens)} tokens`}
            </span>
          )}
        </>
      }
      actions={
        <>
          {prompt && (
            <Button kind="quiet" className="h-5" pressed={asked} onClick={() => setAsked(!asked)}>
              Prompt
            </Button>
          )}
          {row.agent && (
            <Button kind="quiet" className="h-5" pressed={thread} onClick={toggleThread}>
              Thread
            </Button>
          )}
          {row.agent && (
            <Button kind="quiet" className="h-5" onClick={() => showAgent(row.agent?.agentId ?? null)}>
              Alone
            </Button>
          )}
        </>
      }
      copy={{ label: "Copy answer", text: answer.text }}
    >
      {asked && prompt && (
        <>
          <SectionLine>asked</SectionLine>
          <Markdown text={prompt} className="px-3 pb-2 text-fg-2" />
        </>
      )}
      {thread && row.agent && (
        <AgentThread agentId={row.agent.agentId} lane={row.agent.lane} isRunning={isRunning} />
      )}
      {(asked || thread) && !launched && !failed && <SectionLine>answered</SectionLine>}
      {failed && isRunning && thread ? null : failed ? (
        <OutputBlocks row={row} call={call} />
      ) : launched ? (
        <p className="px-3 py-1 text-12 text-fg-3">Started in the background; its answer came later.</p>
      ) : (
        <Markdown text={withoutFrame(answer.text)} className="px-3 py-2" />
      )}
      {launched && <LaterOutput call={call} />}
    </OpenedBlock>
  );
}

/** What the client puts around an agent's answer is for the model alone: 2.0.76 on below it, 2.1.110 on above it too. */
function withoutFrame(text: string): string {
  return text
    .replace(/^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/, "")
    .replace(/^\s*\[Subagent hand-back\][^\n]*\n/, "")
    .replace(/\nagentId: \S+ \((?:use SendMessage|for resuming)[\s\S]*$/, "");
}
