import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { type ThreadActions, ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { MAX_OUTLINE_PX, OVER_PAGE, usePaneSizes } from "@/components/session/panes/pane-sizes";
import { Splitter } from "@/components/session/panes/splitters";
import { useAgents } from "@/components/session/use-agents";
import { PartLine, useSelectedPart } from "@/components/session/waterfall/selected-part";
import { OpenBeside } from "@/components/thread/rows/agent-rows";
import type { ThreadTarget } from "@/components/thread/store/thread-journeys";
import { threadTurns } from "@/components/thread/thread-position";
import { IconButton } from "@/components/ui/button";
import { useFocusOver } from "@/components/ui/main-focus";
import { useRoving } from "@/components/ui/roving";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { threadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { useKeys } from "@/lib/client/key-registry";
import { formatCompact, formatCount, formatPlural } from "@/lib/format/format";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { AgentEntry, SessionDetail } from "@/lib/wire/session";
import { useSessionPage } from "../session-store";
import { nameOfAgent } from "../use-agents";
import { AgentLine, AgentLines } from "./agent-line";
import { FileList } from "./file-list";
import { ListFault } from "./list-fault";
import { TurnList } from "./turn-list";

/** The same list each time, so that nothing is drawn anew for it. */
const NO_AGENTS: readonly AgentEntry[] = [];

type Tab = "turns" | "files" | "agents";

/**
 * The left column of a session: its turns, files and agents, for navigation. Where the page has no room for it
 * (`docked` is false) a sheet over the page. Beside an agent's thread it shows the thread that the agent belongs to.
 */
export function Outline({ docked, sheetOpen }: { docked: boolean; sheetOpen: boolean }) {
  const { sessionId, session, store } = useSessionPage();
  const { sizes, resize, keep } = usePaneSizes();
  const selected = useSelectedPart();
  const actions = useOutlineActions();
  const roving = useRoving<HTMLElement>();
  useFocusOver(roving.ref, sheetOpen);
  useKeys([
    {
      keys: ["Escape"],
      label: "close the outline",
      group: "Views and panes",
      when: () => sheetOpen,
      run: store.closeOutline,
    },
  ]);
  return (
    <aside
      {...roving}
      tabIndex={-1}
      aria-label="Outline"
      style={docked ? { ["--outline" as string]: `${sizes.outline}px` } : undefined}
      className={clsx(
        "flex flex-col border-r border-line-2 bg-panel outline-none",
        OVER_PAGE,
        "max-md:border-r-0",
        docked
          ? clsx("relative md:w-(--outline)", !sheetOpen && "max-md:hidden")
          : "absolute inset-y-0 left-0 z-20 w-80 shadow-overlay max-md:w-auto max-md:shadow-none",
      )}
    >
      <IconButton
        icon={X}
        label="Close outline"
        className={clsx("absolute! top-1 right-2 z-1", docked && "md:hidden")}
        onClick={store.closeOutline}
      />
      {docked && (
        <span className="absolute inset-y-0 -right-px z-3 flex max-md:hidden">
          <Splitter
            label="Width of the outline"
            widthPx={sizes.outline}
            mostPx={MAX_OUTLINE_PX}
            leftOfEdge
            onResize={(outline) => resize({ outline })}
            onEnd={keep}
          />
        </span>
      )}
      <ThreadContext.Provider value={actions}>
        <OutlineTabs selected={selected} />
      </ThreadContext.Provider>
      {session && !selected && <OutlineTotals sessionId={sessionId} session={session} />}
    </aside>
  );
}

/** The lists, one at a time. `selected`: the part of the session to which they are limited. */
function OutlineTabs({ selected }: { selected: ReturnType<typeof useSelectedPart> }) {
  const { sessionId, session, choice, store } = useSessionPage();
  /** Leads to a place of the thread; over another view, out of that. `record` is what stands there. */
  const goTo = (target: ThreadTarget, record: RecordId) => {
    store.closeOutline();
    if (store.views.isCovered()) store.views.leave({ at: record }, record);
    else void store.thread.goTo(target);
  };
  const goToRecord = (record: RecordId) => goTo({ record }, record);
  const [tab, setTab] = useState<Tab>("turns");
  const counts = session?.counts ?? null;
  const count = (n: number | undefined) => (n === undefined ? null : formatCompact(n));
  const agents = useAgents(sessionId, (counts?.agents ?? 0) > 0 || choice.agent !== null);
  const listed = agents.data?.agents ?? NO_AGENTS;
  const shownAgent = choice.agent && (listed.find(({ agentId }) => agentId === choice.agent) ?? null);
  const mainChoice = useMemo(
    () =>
      choice.agent === null
        ? choice
        : threadChoice(
            { branch: null, agent: null, detail: choice.detail, fold: null },
            choice.detail,
            false,
          ),
    [choice],
  );
  const part = selected?.part ?? null;
  const turns = threadTurns(session, mainChoice) ?? counts?.turns;
  const shownAgents = part ? listed.filter(({ agentId }) => part.agents.has(agentId)) : listed;
  const shownOf = (shown: number | undefined, all: number | undefined, one: string) =>
    shown === undefined || all === undefined ? null : `${formatCount(shown)} of ${formatPlural(all, one)}`;
  return (
    <Tabs
      label="Outline"
      value={tab}
      onChange={setTab}
      className="flex min-h-0 flex-1 flex-col"
      tabs={[
        { value: "turns", label: "Turns", count: count(turns) },
        { value: "files", label: "Files", count: count(counts?.files) },
        { value: "agents", label: "Agents", count: count(counts?.agents) },
      ]}
    >
      {selected && (
        <PartLine
          range={selected.range}
          besides="The thread marks its rows"
          shown={
            tab === "turns"
              ? shownOf(part?.turns.length, turns, "turn")
              : tab === "agents"
                ? shownOf(part ? shownAgents.length : undefined, counts?.agents, "agent")
                : null
          }
        />
      )}
      <TabPanel value="turns" className="min-h-0 flex-1">
        <TurnList
          only={part?.turns ?? null}
          revision={session?.revision ?? 0}
          key={`${choice.branch}|${choice.agent}`}
          sessionId={sessionId}
          choice={mainChoice}
          agents={listed}
          shownAgent={shownAgent || null}
          isOther={choice.agent !== null}
          onGo={goTo}
        />
      </TabPanel>
      <TabPanel value="files" className="min-h-0 flex-1">
        <FileList onGo={goToRecord} />
      </TabPanel>
      <TabPanel value="agents" className="min-h-0 flex-1 overflow-auto py-1">
        {agents.error && !agents.data && <ListFault error={agents.error} onRetry={agents.refetch} />}
        <AgentList
          agents={agents.data || counts?.agents === 0 ? shownAgents : null}
          current={choice.agent}
          more={agents.data?.nextCursor != null}
          onGo={goToRecord}
        />
      </TabPanel>
    </Tabs>
  );
}

/** What its lines may ask for: as rows may, but it closes, and what an agent's line opens stands in no view's place. */
function useOutlineActions(): ThreadActions {
  const { store } = useSessionPage();
  const rows = useThreadActions();
  return useMemo(
    () => ({
      ...rows,
      openChanges: (turn) => {
        store.closeOutline();
        store.views.openChanges(turn);
      },
      openAgent: (agent) => {
        if (!store.views.isCovered()) return rows.openAgent(agent);
        store.closeOutline();
        store.views.leaveForAgent(agent);
      },
      showAgent: (agent) => {
        store.closeOutline();
        if (store.views.isCovered()) store.views.leave({ agent, at: null, fold: null });
        else rows.showAgent(agent);
      },
    }),
    [rows, store],
  );
}

/** Totals of the session: lines changed, files, agents. */
function OutlineTotals({ sessionId, session }: { sessionId: SessionId; session: SessionDetail }) {
  const { files, agents, toolCalls } = session.counts;
  const all = useQuery({
    queryKey: ["file-totals", sessionId],
    queryFn: async ({ signal }) => (await api.files(sessionId, { limit: 200 }, { signal })).files,
    enabled: files > 0 && files <= 200,
  });
  const sum = (name: "added" | "removed") => all.data?.reduce((total, file) => total + file[name], 0) ?? 0;
  return (
    <div className="flex h-tool flex-none items-center gap-2 overflow-hidden border-t border-line px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
      <ChangedLines added={sum("added")} removed={sum("removed")} />
      <span className="min-w-0 flex-1 truncate">
        {files > 0 ? formatPlural(files, "file") : formatPlural(toolCalls, "tool call")}
      </span>
      {agents > 0 && <span className="flex-none text-fg-3">{formatPlural(agents, "agent")}</span>}
    </div>
  );
}

/** The session's agents, nested ones indented. */
function AgentList({
  agents,
  current,
  more,
  onGo,
}: {
  /** `null` while they are not known. */
  agents: readonly AgentEntry[] | null;
  /** The one whose thread is shown. */
  current: AgentId | null;
  more: boolean;
  onGo: (recordId: RecordId) => void;
}) {
  if (agents === null) return null;
  if (agents.length === 0) return <p className="px-3 py-2 text-12 text-fg-3">No agents in this session.</p>;
  return (
    <>
      <AgentLines>
        {agents.map((agent) => (
          <div key={agent.agentId} className="grid grid-cols-[minmax(0,1fr)_auto] items-center pr-2">
            <AgentLine agent={agent} current={agent.agentId === current} onGo={onGo} />
            <OpenBeside agentId={agent.agentId} name={nameOfAgent(agent)} />
          </div>
        ))}
      </AgentLines>
      {more && <p className="px-3 py-2 text-11 text-fg-3">Only the first {agents.length} are listed.</p>}
    </>
  );
}
