import { useQuery } from "@tanstack/react-query";
import { Ban, X } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { ChangedLines, FailedCalls } from "@/components/content/text/more-text";
import { TurnUsageLines } from "@/components/content/text/request-usage";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { useThreadStore } from "@/components/thread/use-thread";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { FailedState, SkeletonRows } from "@/components/ui/states";
import { useThreadUrl } from "@/lib/client/address/session-history";
import { api } from "@/lib/client/api";
import { formatCost, formatCount, formatDuration, formatPlural, formatTokens } from "@/lib/format/format";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import type { BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import { formatAgentState } from "@/lib/wire/rows";
import type { CommandClass, TurnBrief } from "@/lib/wire/session";

/**
 * A summary of a turn, shown below its header: the intent, what was done, and what it cost. `toolCalls`: those that its row
 * counts, also where an export left them out of the brief.
 */
export function TurnBriefBlock({
  sessionId,
  turn,
  toolCalls,
}: {
  sessionId: SessionId;
  turn: number;
  toolCalls: number;
}) {
  const [{ branch, at }, setUrl] = useThreadUrl();
  const thread = useThreadStore();
  const { data, error, refetch } = useBrief(sessionId, turn, branch);
  const go = (recordId: RecordId) => {
    // The reader may have gone on from where the address says that they are.
    if (at === recordId) void thread.goTo({ record: recordId });
    else setUrl({ at: recordId });
  };
  return (
    <section
      aria-label={`Turn ${turn} in brief`}
      className="mt-2 mr-3 mb-2 min-w-0 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:mr-2"
    >
      {error && !data && (
        <FailedState title="Couldn’t load the turn brief" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows count={4} label="Loading the turn brief" rowClass="h-5" />}
      {data && <BriefFacts brief={data} toolCalls={toolCalls} onGo={go} />}
    </section>
  );
}

/** The tools under the names that are shown, which some share: planning is entered by one and left by another. */
function byShortName(tools: TurnBrief["tools"]) {
  const named = new Map<string, TurnBrief["tools"][number] & { names: string[] }>();
  for (const tool of tools) {
    const name = shortToolName(tool.name);
    const { names, calls, errors, denied } = named.get(name) ?? { names: [], calls: 0, errors: 0, denied: 0 };
    named.set(name, {
      name,
      names: [...names, tool.name],
      calls: calls + tool.calls,
      errors: errors + tool.errors,
      denied: denied + tool.denied,
    });
  }
  return [...named.values()];
}

const SHOWN = 6;

/** The facts of a brief, one line per kind; kinds that the turn has none of are left out. */
function BriefFacts({
  brief,
  toolCalls,
  onGo,
}: {
  brief: TurnBrief;
  toolCalls: number;
  onGo: (recordId: RecordId) => void;
}) {
  const { intent, cwd, tools, files, commands, agents, durationMs, usage, agentsUsage } = brief;
  const nothing = toolCalls + tools.length + files.length + commands.length + agents.length === 0;
  return (
    <dl className="grid grid-cols-[calc(72px*var(--u))_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2 text-12/5 tabular-nums max-sm:grid-cols-[calc(64px*var(--u))_minmax(0,1fr)]">
      <Fact name="Intent">
        <span className="[overflow-wrap:anywhere]">
          <VisibleText text={intent || "(no text)"} />
        </span>
      </Fact>
      {tools.length > 0 && (
        <Fact name="Tools">
          <span className="flex flex-wrap gap-x-3">
            {byShortName(tools).map(({ name, names, calls, errors, denied }) => (
              <span
                key={name}
                className="flex min-w-0 gap-1 whitespace-nowrap"
                title={labelHidden(names.join(", "))}
              >
                <span className="truncate">{name}</span>{" "}
                <span className="text-fg-2">{formatCount(calls)}</span>
                <FailedCalls errors={errors} denied={denied} />
              </span>
            ))}
          </span>
        </Fact>
      )}
      {files.length > 0 && (
        <Fact name="Files">
          <BriefFiles files={files} cwd={cwd} />
        </Fact>
      )}
      {commands.length > 0 && (
        <Fact name="Commands">
          <BriefCommands commands={commands} more={brief.moreCommands} onGo={onGo} />
        </Fact>
      )}
      {agents.length > 0 && (
        <Fact name="Agents">
          <BriefAgents agents={agents} />
        </Fact>
      )}
      <Fact name="Took">
        {durationMs === null ? "no time in the log" : formatDuration(durationMs)}
        {nothing && <span className="text-fg-2"> · an answer without tools</span>}
      </Fact>
      {(usage || agentsUsage) && (
        <Fact name="Used">
          <TurnUsageLines usage={{ own: usage, agents: agentsUsage }} />
        </Fact>
      )}
    </dl>
  );
}

/** The changed files, and of several how much was changed in all. */
function BriefFiles({ files, cwd }: Pick<TurnBrief, "files" | "cwd">) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <>
      {files.length > 1 && (
        <p className="text-fg-2">
          {formatPlural(files.length, "file")} <ChangedLines added={added} removed={removed} />
        </p>
      )}
      {files.slice(0, SHOWN).map((file) => (
        <p key={file.path} className="flex gap-2">
          <span className="min-w-0 truncate font-mono" title={labelHidden(file.path)}>
            <VisibleText text={shortenPath(file.path, cwd)} />
          </span>
          <ChangedLines added={file.added} removed={file.removed} />
        </p>
      ))}
      {files.length > SHOWN && <p className="text-fg-3">{formatCount(files.length - SHOWN)} more</p>}
    </>
  );
}

type BriefAgent = TurnBrief["agents"][number];

/** The agents that the turn started: what they are to do, what they did, and how they ended if not well. */
function BriefAgents({ agents }: Pick<TurnBrief, "agents">) {
  return (
    <>
      {agents.slice(0, SHOWN).map((agent) => (
        <p
          key={agent.agentId}
          // Where it is narrow, the name has a line of its own.
          className="flex items-center gap-x-2 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto]"
        >
          <LaneShape lane={agent.lane} />
          <span className="min-w-0 truncate max-sm:col-span-2">{agent.description ?? agent.agentId}</span>
          <span className="flex-none text-fg-2 max-sm:col-start-2">
            {agentFigures(agent).map((figure, index) => (
              // A line may end between two figures, and never between a number and its unit.
              <Fragment key={figure}>
                {index > 0 && " · "}
                <span className="whitespace-nowrap">{figure}</span>
              </Fragment>
            ))}
          </span>
          {formatAgentState(agent.state) && (
            <span className={agent.state === "failed" ? "flex-none text-err" : "flex-none text-fg-2"}>
              {formatAgentState(agent.state)}
            </span>
          )}
        </p>
      ))}
      {agents.length > SHOWN && <p className="text-fg-3">{formatCount(agents.length - SHOWN)} more</p>}
    </>
  );
}

function agentFigures({ type, toolCalls, tokens, cost, state, durationMs }: BriefAgent): string[] {
  return [
    type,
    formatPlural(toolCalls, "tool"),
    formatTokens(tokens),
    tokens > 0 ? formatCost(cost.microUsd, cost.unpricedTokens) : null,
    state === "running" || durationMs === null ? null : formatDuration(durationMs),
  ].filter((figure): figure is string => Boolean(figure));
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

const CLASSES: readonly CommandClass[] = ["test", "build", "git", "other"];
const SHOWN_COMMANDS = 8;

/** The commands that a turn ran: a count per class, then the commands themselves, each linking to its row. */
function BriefCommands({
  commands,
  more,
  onGo,
}: {
  commands: TurnBrief["commands"];
  more: number;
  onGo: (recordId: RecordId) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? commands : commands.slice(0, SHOWN_COMMANDS);
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-fg-2">
        {CLASSES.map((name) => {
          const found = commands.filter((command) => command.class === name);
          const denied = found.filter((command) => command.denied).length;
          const failed = found.filter((command) => command.failed).length - denied;
          if (found.length === 0) return null;
          return (
            <span key={name}>
              {name} {formatCount(found.length)}
              {failed > 0 && <span className="text-err"> {formatCount(failed)} failed</span>}
              {denied > 0 && <span className="text-warn"> {formatCount(denied)} denied</span>}
            </span>
          );
        })}
      </p>
      <ul>
        {shown.map((command) => (
          <li key={command.recordId + command.command}>
            <button
              type="button"
              title={labelHidden(command.command)}
              className="grid w-full grid-cols-[12px_36px_minmax(0,1fr)_auto] items-center gap-x-2 rounded-1 text-left hover:bg-raised pointer-coarse:min-h-6"
              onClick={() => onGo(command.recordId)}
            >
              <span className="flex">
                {command.failed && <FailedMark denied={command.denied === true} />}
              </span>
              <span className="text-fg-3">{command.class}</span>
              <span className="truncate font-mono">
                <VisibleText text={stripAnsi(command.command.replaceAll("\n", " ⏎ "))} />
              </span>
              <span className="text-fg-2">
                {command.durationMs === null ? null : formatDuration(command.durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {commands.length > shown.length && (
        <button type="button" className="text-accent hover:underline" onClick={() => setAll(true)}>
          {formatCount(commands.length - shown.length)} more
        </button>
      )}
      {more > 0 && (all || commands.length <= SHOWN_COMMANDS) && (
        <p className="text-fg-3">and {formatCount(more)} that are only in the thread</p>
      )}
    </>
  );
}

/** The mark of a command that failed or was refused, with a label for screen readers. */
function FailedMark({ denied }: { denied: boolean }) {
  return (
    <span className={`inline-flex flex-none ${denied ? "text-warn" : "text-err"}`}>
      <Icon of={denied ? Ban : X} small />
      <span className="sr-only">{denied ? "denied" : "failed"}</span>
    </span>
  );
}

/** The brief of a turn. `branch` as in the URL; `null` is the active branch. */
function useBrief(sessionId: SessionId, turn: number, branch: BranchId | null) {
  return useQuery({
    queryKey: ["brief", sessionId, branch, turn],
    queryFn: ({ signal }) => api.brief(sessionId, turn, branch, { signal }),
  });
}
