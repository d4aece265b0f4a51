import type { ReactNode } from "react";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { VisibleText } from "@/components/content/text/visible-text";
import { LaneShape } from "@/components/ui/lane-shape";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import { formatTokens } from "@/lib/format/format-tokens";
import { shortenHome } from "@/lib/format/split-path";
import type { TurnBrief } from "@/lib/wire/brief";
import type { RecordId } from "@/lib/wire/ids";
import { BriefCommands } from "./brief-commands";

const SHOWN = 6;

/** The brief's facts, one line a kind; kinds that the turn has nothing of are left out. */
export function BriefFacts({ brief, onGo }: { brief: TurnBrief; onGo: (recordId: RecordId) => void }) {
  const { intent, tools, files, commands, agents, durationMs, tokens } = brief;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const nothing = tools.length + files.length + commands.length + agents.length === 0;
  return (
    <dl className="grid grid-cols-[calc(72px*var(--u))_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2 text-12/5 tabular-nums max-sm:grid-cols-[60px_minmax(0,1fr)]">
      <Fact name="Intent">
        <span className="[overflow-wrap:anywhere]">
          <VisibleText text={intent || "(no text)"} />
        </span>
      </Fact>
      {tools.length > 0 && (
        <Fact name="Tools">
          <span className="flex flex-wrap gap-x-3">
            {tools.map(({ name, calls, errors }) => (
              <span key={name} className="whitespace-nowrap">
                {name} <span className="text-fg-2">{formatCount(calls)}</span>
                {errors > 0 && <span className="text-err"> {formatPlural(errors, "error")}</span>}
              </span>
            ))}
          </span>
        </Fact>
      )}
      {files.length > 0 && (
        <Fact name="Files">
          {files.length > 1 && (
            <p className="text-fg-2">
              {formatPlural(files.length, "file")} <ChangedLines added={added} removed={removed} />
            </p>
          )}
          {files.slice(0, SHOWN).map((file) => (
            <p key={file.path} className="flex gap-2">
              <span className="min-w-0 truncate font-mono" title={file.path}>
                {shortenHome(file.path)}
              </span>
              <ChangedLines added={file.added} removed={file.removed} />
            </p>
          ))}
          {files.length > SHOWN && <p className="text-fg-3">{formatCount(files.length - SHOWN)} more</p>}
        </Fact>
      )}
      {commands.length > 0 && (
        <Fact name="Commands">
          <BriefCommands commands={commands} more={brief.moreCommands} onGo={onGo} />
        </Fact>
      )}
      {agents.length > 0 && (
        <Fact name="Agents">
          {agents.slice(0, SHOWN).map((agent) => (
            <p key={agent.agentId} className="flex items-center gap-2">
              <LaneShape lane={agent.lane} />
              <span className="min-w-0 truncate">{agent.description ?? agent.agentId}</span>
              <span className="flex-none text-fg-2">
                {agent.type && `${agent.type} · `}
                {[formatPlural(agent.toolCalls, "tool"), formatTokens(agent.tokens)]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </p>
          ))}
          {agents.length > SHOWN && <p className="text-fg-3">{formatCount(agents.length - SHOWN)} more</p>}
        </Fact>
      )}
      <Fact name="Took">
        {durationMs === null ? "no time in the log" : formatDuration(durationMs)}
        {tokens > 0 && (
          <span className="text-fg-2" title={`${formatCount(tokens)} tokens, agents not counted`}>
            {" "}
            · {formatTokens(tokens)}
          </span>
        )}
        {nothing && <span className="text-fg-2"> · an answer without tools</span>}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
