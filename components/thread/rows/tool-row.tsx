import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines, LatestStep } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { asksPerson, callNode } from "@/components/thread/rail/rail-node";
import { RunningRing, Tag } from "@/components/ui/marks";
import { formatPlural, withTokens } from "@/lib/format/format";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { shortToolName, toolNamed } from "@/lib/tools/tools";
import type { ToolRow } from "@/lib/wire/rows";
import { ToolDetail } from "../tools/tool-detail";
import { AgentChips, OpenBeside } from "./agent-rows";
import { InheritedLink, RowFrame, RowLine, type RowProps } from "./row-line";

/** A tool call in one line; opened, its input and output. */
export function ToolRowView({ row, open, selected }: RowProps<"tool">) {
  const { toggleOpen } = useThreadActions();
  const look = asksPerson(row) ? ASKING : LOOKS[row.state];
  return (
    <RowFrame node={callNode(row)} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name={<VisibleText text={row.server ?? shortToolName(row.name)} />}
        prose={row.agent !== null || toolNamed(row.name)?.prose === true}
        subject={
          <>
            {row.server && <span data-log="none">{`${row.name} `}</span>}
            <VisibleText text={stripAnsi(row.subject)} />
            {row.aside && (
              <span className="text-fg-3">
                {" "}
                <VisibleText text={row.aside} />
              </span>
            )}
            {row.agent?.state === "running" && <LatestStep step={row.agent.step} />}
          </>
        }
        result={<Result row={row} />}
        tone={look.tone}
        barTone={look.bar}
        runsSinceMs={row.state === "running" || row.agent?.state === "running" ? row.atMs : null}
      />
      {open && <ToolDetail row={row} />}
    </RowFrame>
  );
}

type Look = {
  tone: "plain" | "err" | "warn" | "run" | "stopped" | "quiet";
  bar: "done" | "error" | "running" | "waiting" | "thin";
};

const LOOKS: Record<ToolRow["state"], Look> = {
  ok: { tone: "plain", bar: "done" },
  error: { tone: "err", bar: "error" },
  running: { tone: "run", bar: "running" },
  denied: { tone: "warn", bar: "waiting" },
  interrupted: { tone: "stopped", bar: "done" },
  "timed-out": { tone: "err", bar: "error" },
  "no-result": { tone: "plain", bar: "thin" },
};

const ASKING: Look = { tone: "warn", bar: "waiting" };

const STATE_LABELS: Partial<Record<ToolRow["state"], string>> = {
  error: "error",
  running: "running",
  denied: "denied",
  interrupted: "stopped",
  "timed-out": "timed out",
  "no-result": "no result in the log",
};

/** The most important fact about the call's outcome. Success has no mark. */
function Result({ row }: { row: ToolRow }) {
  const { agent, state } = row;
  const outcome = row.result === null ? (STATE_LABELS[state] ?? null) : stripAnsi(row.result);
  return (
    <>
      {((state === "running" && !asksPerson(row)) || agent?.state === "running") && (
        <RunningRing label="running" />
      )}
      {row.agents ? (
        <AgentChips agents={row.agents} />
      ) : row.carried ? (
        <InheritedLink carried={row.carried} />
      ) : agent ? (
        <>
          <span>{withTokens(formatPlural(agent.toolCalls, "tool"), agent.tokens)}</span>
          <OpenBeside agentId={agent.agentId} name={row.subject} />
        </>
      ) : (
        outcome && (
          <span
            className={`max-w-[calc(280px*var(--u))] cut-end @max-[480px]/thread:max-w-[140px] ${state === "no-result" ? "text-fg-3" : ""}`}
          >
            <VisibleText text={outcome} />
          </span>
        )
      )}
      {agent && state !== "ok" && state !== "running" && <span>{outcome}</span>}
      <ChangedLines added={row.added} removed={row.removed} />
      {row.cleared && (
        <span
          className="flex-none leading-none"
          title="A later microcompaction removed this result from the context"
        >
          <Tag>cleared</Tag>
        </span>
      )}
      {row.server && <Tag>MCP</Tag>}
    </>
  );
}
