import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useMemo, useRef, useState } from "react";
import { hasFailed, resultText } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import {
  agentActions,
  type ThreadActions,
  ThreadContext,
  useThreadActions,
} from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { AGAIN_MS, isUnknownAgent } from "@/components/thread/asked-again";
import { useLiveView } from "@/components/thread/live-views";
import type { OpenThread } from "@/components/thread/open-thread";
import {
  OpenedCall,
  SectionLine,
  type ToolViewProps,
  type ToolViews,
} from "@/components/thread/opened-block";
import { rowData } from "@/components/thread/row-data";
import { RowViewContext, turnSpans } from "@/components/thread/rows/row-line";
import { createThreadStore, type ThreadStore } from "@/components/thread/thread-store";
import { useThreadWindows } from "@/components/thread/thread-windows";
import { ThreadStoreContext, useThreadState } from "@/components/thread/use-thread";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/states";
import { useThreadUrl } from "@/lib/client/address/session-history";
import { threadChoice } from "@/lib/client/address/session-url";
import { usePreferences } from "@/lib/client/preferences";
import { formatCompact, formatCount, formatPlural } from "@/lib/format/format";
import { fieldsOf, textField } from "@/lib/format/json-values";
import { withoutAgentFrame } from "@/lib/markup/plain-output";
import { startedTask } from "@/lib/tools/started-task";
import type { AgentId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { KeyValues } from "./call-data";
import { LaterOutputs } from "./later-output";
import { OutputBlocks } from "./output-blocks";
import { wholeOutput } from "./whole-output";
import { WorkflowView } from "./workflow-view";

/** Agents: started, written to, or started by a script. */
export const AGENT_VIEWS: ToolViews<"agents"> = {
  Agent: AgentView,
  SendMessage: MessageView,
  Workflow: WorkflowView,
};

/** A sub-agent: what it was asked, its thread, opened in place, and its answer. */
function AgentView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  // From 2.1.330 on an agent runs in the background: the call only says that it was started.
  const answer = resultText(call);
  const launched =
    fieldsOf(structured).isAsync === true ||
    textField(structured, "status") === "async_launched" ||
    startedTask(answer.text)?.kind === "agent";
  const isRunning = row.agent?.state === "running";
  const { isKept, forget } = useKeptInlineThread(row.agent?.agentId ?? null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const thread = chosen ?? (launched || isRunning || isKept);
  const { showAgent, sessionId } = useThreadActions();
  const [asked, setAsked] = useState(false);
  const [answered, setAnswered] = useState(true);
  const prompt = textField(call.input, "prompt");
  const type = textField(call.input, "subagent_type");
  const failed = call.results.length === 0 || hasFailed(call);
  const hasAnswer = !launched && !failed;
  const toggleThread = () => {
    if (thread) forget();
    setChosen(!thread);
  };
  return (
    <OpenedCall
      row={row}
      facts={
        <>
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
          {prompt && <Toggle label="Prompt" shown={asked} onToggle={() => setAsked(!asked)} />}
          {hasAnswer && <Toggle label="Answer" shown={answered} onToggle={() => setAnswered(!answered)} />}
          {row.agent && <Toggle label="Thread" shown={thread} onToggle={toggleThread} />}
          {row.agent && (
            <Button kind="quiet" className="h-5" onClick={() => showAgent(row.agent?.agentId ?? null)}>
              Open full page
            </Button>
          )}
        </>
      }
      copy={{
        label: "Copy answer",
        text: async () => withoutAgentFrame(await wholeOutput(sessionId, call)),
      }}
    >
      {asked && prompt && (
        <>
          <SectionLine>prompt</SectionLine>
          <Markdown text={prompt} className="px-3 pb-2 text-fg-2" />
        </>
      )}
      {thread && row.agent && (
        <AgentThread agentId={row.agent.agentId} lane={row.agent.lane} isRunning={isRunning} />
      )}
      {(asked || thread) && hasAnswer && answered && <SectionLine>answer</SectionLine>}
      {/* Of an agent that runs, its thread says more than that its call has no result yet. */}
      {failed && !(isRunning && thread) && <OutputBlocks row={row} call={call} />}
      {launched && !failed && (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          Started in the background; the answer arrived later.
        </p>
      )}
      {hasAnswer && answered && <Markdown text={withoutAgentFrame(answer.text)} className="px-3 py-2" />}
      {launched && <LaterOutputs call={call} />}
    </OpenedCall>
  );
}

/** All of them are in the page at once. Who wants to read more opens the agent beside the thread. */
const MAX_ROWS = 800;

type Change = ReturnType<typeof useInlineThread>["change"];

/** An agent's thread inside its call, as much of it as is asked for. It may hold agents of its own. */
function AgentThread({ agentId, lane, isRunning }: { agentId: AgentId; lane: number; isRunning: boolean }) {
  const { query, change } = useInlineThread(agentId, isRunning);
  if (!query.data) return <DetailState query={query} />;
  return (
    <ThreadStoreContext value={query.data.store}>
      <AgentRows agentId={agentId} lane={lane} shown={query.data} change={change} />
    </ThreadStoreContext>
  );
}

/** A button that shows a part of the opened call, or hides it. */
function Toggle({ label, shown, onToggle }: { label: string; shown: boolean; onToggle: () => void }) {
  return (
    <Button kind="quiet" className="h-5" pressed={shown} onClick={onToggle}>
      {label}
    </Button>
  );
}

function AgentRows({
  agentId,
  lane,
  shown,
  change,
}: {
  agentId: AgentId;
  lane: number;
  shown: InlineThread;
  change: Change;
}) {
  const { windows } = shown.thread;
  const open = useThreadState(shown.store, (state) => state.open);
  const snapshot = useThreadWindows(windows);
  const { total, error } = snapshot;
  const from = Math.min(shown.from, Math.max(0, total - 1));
  const to = Math.min(total, shown.to ?? total, from + MAX_ROWS);
  useEffect(() => windows.want(from, to - 1), [windows, from, to]);
  const isFull = to - from >= MAX_ROWS;
  const rows = Array.from({ length: to - from }, (_, at) => windows.itemAt(from + at));
  const actions = useInlineActions(agentId, lane, shown.store);
  const RowView = useContext(RowViewContext);
  const spans = useMemo(() => turnSpans(snapshot.loaded > 0 ? loadedRows(windows) : []), [windows, snapshot]);
  return (
    <ThreadContext.Provider value={actions}>
      {/* The agent's own spine, closer in: it stands inside a row of another. */}
      <div className="border-b border-line [--ground:var(--bg)] [--hover:var(--raised)] [--rail:44px] [--spine-x:18px]">
        {from > 0 && (
          <MoreRows
            words="earlier"
            rows={from}
            onShow={isFull ? null : () => change(() => ({ from: Math.max(0, from - STEP_ROWS) }))}
          />
        )}
        {rows.map((row, at) => (
          <div
            key={row?.key ?? from + at}
            {...rowData(row)}
            aria-busy={row === undefined}
            className="group/row relative min-h-(--row)"
          >
            {row && (
              <RowView
                row={row}
                turnMs={spans.get(row.turn) ?? null}
                open={open.has(row.key)}
                selected={false}
              />
            )}
          </div>
        ))}
        {to < total && (
          <MoreRows
            words="next"
            rows={total - to}
            onShow={
              isFull ? null : () => change(() => ({ to: to + STEP_ROWS < total ? to + STEP_ROWS : null }))
            }
          />
        )}
      </div>
      {error && <DetailState query={{ error, isFetching: false, refetch: () => windows.retry() }} />}
    </ThreadContext.Provider>
  );
}

/** Rows that are not shown yet: a step of them, or where to read them. */
function MoreRows({
  rows,
  words,
  onShow,
}: {
  rows: number;
  words: "earlier" | "next";
  onShow: (() => void) | null;
}) {
  return (
    <div className="hatch flex h-6 items-center gap-3 px-3 text-11">
      {onShow ? (
        <Button kind="quiet" className="h-5 bg-panel" onClick={onShow}>
          Show {words} {formatCount(Math.min(STEP_ROWS, rows))} of {formatPlural(rows, "row")}
        </Button>
      ) : (
        <span className="bg-panel px-1 text-fg-3">
          {formatPlural(rows, words === "next" ? "more row" : "earlier row")}: read this agent alone
        </span>
      )}
    </div>
  );
}

/** What its rows may ask for: as around it, but for what needs a list of its own. */
function useInlineActions(agentId: AgentId, lane: number, store: ThreadStore): ThreadActions {
  const outer = useThreadActions();
  return useMemo(
    () =>
      agentActions(outer, store, {
        lane,
        toggleRun: () => undefined,
        toRow: undefined,
        // Its other branches are to be read where there is room for one at a time.
        switchBranch: () => outer.openAgent(agentId),
      }),
    [outer, agentId, lane, store],
  );
}

function loadedRows(windows: InlineThread["thread"]["windows"]): Row[] {
  return Array.from(windows.loaded(), ([, row]) => row);
}

/** So many rows at first, and with each wish for more. */
const STEP_ROWS = 50;

/** A thread inside a row, its store, and which of its rows are shown (`to`: null for all that come). */
export type InlineThread = { store: ThreadStore; thread: OpenThread; from: number; to: number | null };

/** A thread inside a row has no folds, runs or branches of its own to choose. */
const FIXED = { get: () => ({ branch: null, runs: null, fold: null }), set: () => undefined };

/**
 * An agent's thread inside its call, live as one beside the page's own. A call that is scrolled away leaves the
 * page; what was opened in it is kept, so that it is there when the call comes back.
 */
function useInlineThread(agentId: AgentId, isRunning: boolean) {
  const client = useQueryClient();
  const { sessionId } = useThreadActions();
  const choice = useInlineChoice(agentId);
  const queryKey = ["agent-thread", sessionId, choice.key];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<InlineThread> => {
      const store = createThreadStore({ sessionId, choice, address: FIXED });
      // Of an agent that runs the end is shown, which is where it goes on.
      signal.addEventListener("abort", store.show(choice, { toEnd: isRunning }));
      const thread = await store.whenShown();
      const { total } = thread.windows.getSnapshot();
      const rest = isRunning || total <= STEP_ROWS;
      const from = isRunning ? Math.max(0, total - STEP_ROWS) : 0;
      return { store, thread, from, to: rest ? null : STEP_ROWS };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => isUnknownAgent(state.error) && AGAIN_MS,
    structuralSharing: false,
  });
  const thread = query.data?.thread ?? null;
  useLiveView(thread);
  const kept = useRef(thread);
  useEffect(() => kept.current?.windows.restart(), []);
  const change = (next: (old: InlineThread) => Partial<InlineThread>) =>
    client.setQueryData<InlineThread>(queryKey, (old) => old && { ...old, ...next(old) });
  return { query, change };
}

/** Whether the agent's thread has been opened in its call a moment ago, and a way to forget it. */
function useKeptInlineThread(agentId: AgentId | null): { isKept: boolean; forget: () => void } {
  const client = useQueryClient();
  const { sessionId } = useThreadActions();
  const { key } = useInlineChoice(agentId);
  const queryKey = ["agent-thread", sessionId, key];
  return {
    isKept: client.getQueryData(queryKey) !== undefined,
    forget: () => client.removeQueries({ queryKey }),
  };
}

/** As much of it as of the page's thread, which the stream carries with the same detail. */
function useInlineChoice(agent: AgentId | null) {
  const [{ detail }] = useThreadUrl();
  const { detail: preferred } = usePreferences();
  return threadChoice({ branch: null, agent, detail, fold: null }, preferred, false);
}

/** SendMessage: to whom, what, and whether it was taken. */
function MessageView({ row, call }: ToolViewProps) {
  const { input } = call;
  const to = textField(input, "to") ?? textField(input, "recipient") ?? "";
  const message = textField(input, "message") ?? textField(input, "content") ?? "";
  // What clients tell each other is no text: a request to end, a plan's approval.
  const told = fieldsOf(fieldsOf(input).message);
  const isTold = Object.keys(told).length > 0;
  const structured = call.results[0]?.structured;
  const answer = textField(structured, "message");
  const failed = hasFailed(call);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
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
      copy={{ label: "Copy message", text: isTold ? JSON.stringify(told, null, 2) : message }}
    >
      {isTold ? (
        <div data-log="input" className="px-3 py-1.5">
          <KeyValues value={told} />
        </div>
      ) : (
        <Markdown text={message} className="px-3 py-2" />
      )}
      {failed || answer === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <p className="border-t border-line bg-panel px-3 py-1.5 text-12 text-fg-2">
          <VisibleText text={answer} />
        </p>
      )}
    </OpenedCall>
  );
}
