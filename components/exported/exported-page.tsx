import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { List, MessageSquareDashed } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { ImageDialog } from "@/components/content/blob/blob-view";
import { ThreadContext, useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { AgentNotice } from "@/components/session/agent-notice";
import { FindField } from "@/components/session/find/find-field";
import { useFind } from "@/components/session/find/use-find";
import { paneCommands } from "@/components/session/pane-commands";
import { AgentPane } from "@/components/session/panes/agent-pane";
import { ThreadSheet } from "@/components/session/print/print-sheet";
import {
  loadCallsNow,
  loadPrintedRowsNow,
  openCalls,
  type PrintedRows,
  useBrowserPrint,
} from "@/components/session/print/use-print";
import { SessionContext, useCreatedSession, useSessionPage } from "@/components/session/session-store";
import { nameOfAgent } from "@/components/session/use-agents";
import { ThreadView } from "@/components/thread/list/thread-view";
import { threadKey } from "@/components/thread/open-thread";
import { readingCommands } from "@/components/thread/reading-commands";
import { copyCommand, copyRow } from "@/components/thread/row-text";
import { parseFold } from "@/components/thread/thread-position";
import { useReadingPlace } from "@/components/thread/use-reading-place";
import {
  ThreadStoreContext,
  useShownThread,
  useSlowPosition,
  useThreadState,
} from "@/components/thread/use-thread";
import { Button, IconButton } from "@/components/ui/button";
import { useKeptFocus } from "@/components/ui/main-focus";
import { LaneShape } from "@/components/ui/marks";
import { ProblemLines } from "@/components/ui/problem-lines";
import { EmptyState } from "@/components/ui/states";
import { Toaster } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import { openPageDialog, usePageDialog } from "@/lib/client/address/page-dialogs";
import { useThreadUrl } from "@/lib/client/address/session-history";
import { parsePanes, threadChoice } from "@/lib/client/address/session-url";
import { useKeys } from "@/lib/client/key-registry";
import { makeQueryClient } from "@/lib/client/query-client";
import { formatCount } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { AgentEntry } from "@/lib/wire/session";
import type { ExportedFile } from "./exported-file";
import { FileComments, FileCommentsButton, FileCommentsPane } from "./file-comments";

/** The page of an exported file: the session's thread, its agents beside it, and find. */
export function ExportedPage({ file }: { file: ExportedFile }) {
  const [client] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Session file={file} />
        <OpenImage />
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
}

function Session({ file }: { file: ExportedFile }) {
  const { id: sessionId, leftOut } = file.session;
  const [url, setUrl] = useThreadUrl();
  const { branch, agent, fold } = url;
  // Every call has its row, and the file contains nothing that this detail leaves out.
  const choice = useMemo(
    () => threadChoice({ branch, agent, detail: "tools", fold }, "tools", false),
    [branch, agent, fold],
  );
  const store = useCreatedSession(sessionId, choice, url, setUrl);
  const restored = useReadingPlace(store.thread, url);
  useShownThread(store.thread, choice, { at: url.at, y: url.y, restored });
  const page = useMemo(
    () => ({ sessionId, session: null, url, setUrl, choice, store }),
    [sessionId, url, setUrl, choice, store],
  );
  const actions = useMemo(() => {
    const {
      inspect: _i,
      showContext: _c,
      openChanges: _o,
      copyLink: _l,
      linkTo: _t,
      ...own
    } = store.rowActions;
    return { ...own, lacksThinking: leftOut.includes("thinking") };
  }, [store, leftOut]);
  return (
    <SessionContext value={page}>
      <ThreadStoreContext value={store.thread}>
        <ThreadContext.Provider value={actions}>
          <FileComments file={file}>
            <Page file={file} />
          </FileComments>
          <PrintedThread file={file} />
        </ThreadContext.Provider>
      </ThreadStoreContext>
    </SessionContext>
  );
}

function Page({ file }: { file: ExportedFile }) {
  const { session } = file;
  const loose = useMemo(() => file.looseAgents(), [file]);
  const { url, choice, store } = useSessionPage();
  const find = useFind();
  const problemId = useId();
  useThreadKeys();
  useKeptFocus(url.panes ?? "", store.boxBeside);
  const panes = parsePanes(url.panes).filter(({ kind }) => kind === "agent" || kind === "comments");
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      <header className="flex min-w-0 items-baseline gap-3 border-b border-line-2 bg-panel px-3 py-2 max-sm:flex-col max-sm:gap-0">
        <h1 className="max-w-full truncate text-15 font-semibold">
          <VisibleText text={shownTitle(session.title)} />
        </h1>
        <p className="min-w-0 max-w-full truncate text-12 text-fg-2" title={labelHidden(session.facts)}>
          <VisibleText text={session.facts} />
        </p>
      </header>
      <div className="flex min-h-0 min-w-0">
        <div
          onFocus={() => store.atHand.take(null)}
          className="grid min-w-0 flex-1 grid-rows-[auto_auto_minmax(0,1fr)]"
        >
          <Bar find={find} problemId={problemId} turns={session.turns} />
          <div id={problemId} aria-live="polite" className="min-w-0">
            <ProblemLines query={find.search.of} problems={find.search.problems} />
            {choice.agent !== null && <AgentNotice agentId={choice.agent} logGone={session.logGone} />}
            {choice.agent === null && loose.length > 0 && <LooseAgents agents={loose} />}
          </div>
          <Thread />
        </div>
        {panes.length > 0 && (
          <div className="flex w-2/5 min-w-0 flex-none flex-col border-l border-line-2 *:flex-1 max-md:contents">
            {panes.map((pane) => {
              const close = () => store.panes.close(pane);
              if (pane.kind === "agent")
                return (
                  <AgentPane
                    key={pane.id}
                    agentId={pane.id}
                    detail={choice.detail}
                    linked={NOT_LINKED}
                    onClose={close}
                  />
                );
              return <FileCommentsPane key="comments" file={file} onClose={close} />;
            })}
          </div>
        )}
      </div>
    </div>
  );
}

const NOT_LINKED = { at: null, y: null, open: null };

function Thread() {
  const { store } = useSessionPage();
  const thread = useThreadState(store.thread, (state) => state.thread);
  const error = useThreadState(store.thread, (state) => state.error);
  if (error)
    return (
      <EmptyState icon={MessageSquareDashed} title="Couldn’t read the thread">
        {error.message}
      </EmptyState>
    );
  if (!thread) return null;
  if (thread.windows.getSnapshot().total === 0)
    return (
      <EmptyState icon={MessageSquareDashed} title="Nothing to show">
        The log has no records.
      </EmptyState>
    );
  return <ThreadView key={threadKey(thread)} thread={thread} follows={false} unseen={null} />;
}

/** Above the thread: the reader's position, find, and folding. */
function Bar({
  find,
  problemId,
  turns,
}: {
  find: ReturnType<typeof useFind>;
  problemId: string;
  turns: number;
}) {
  const { choice, setUrl } = useSessionPage();
  const turn = useSlowPosition((at) => at.turn, 300);
  const folded = parseFold(choice.fold ?? "").size > 0;
  return (
    <section
      aria-label="View"
      data-finding={find.shown || undefined}
      className="group/tool @container/tool flex h-tool items-center gap-2 overflow-hidden border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap max-sm:h-10 print:hidden"
    >
      {choice.agent === null && turns > 0 && (
        <span className="text-fg-3 tabular-nums max-sm:group-data-finding/tool:hidden">
          {turn > 0 ? `turn ${formatCount(turn)} of ${formatCount(turns)}` : "before the first prompt"}
        </span>
      )}
      <span className="flex-1 max-sm:group-data-finding/tool:hidden" />
      <FindField find={find} problemId={problemId} />
      <FileCommentsButton />
      <IconButton
        icon={List}
        label={folded ? "Unfold all turns" : "Fold all turns"}
        pressed={folded}
        disabled={!folded && turns === 0}
        onClick={() => setUrl({ fold: folded ? null : `1-${turns}` })}
      />
    </section>
  );
}

/** Buttons for the agents to which no row leads. */
export function LooseAgents({ agents }: { agents: readonly AgentEntry[] }) {
  const { openAgent } = useThreadActions();
  return (
    <nav
      aria-label="More agents"
      className="flex max-h-22 flex-wrap items-center gap-x-1 overflow-y-auto border-b border-line-2 bg-panel px-3 py-1 text-12 print:hidden"
    >
      <span className="text-fg-3">More agents</span>
      {agents.map((agent) => (
        <Button
          key={agent.agentId}
          kind="quiet"
          title="Open beside"
          className="max-w-60"
          onClick={() => openAgent(agent.agentId)}
        >
          <LaneShape lane={agent.lane} />
          <span className="truncate">
            <VisibleText text={nameOfAgent(agent)} />
          </span>
        </Button>
      ))}
    </nav>
  );
}

/** The printed page: the visible thread, complete. The file contains all of it. */
export function PrintedThread({ file }: { file: ExportedFile }) {
  const { choice, store, sessionId } = useSessionPage();
  const client = useQueryClient();
  const [printed, setPrinted] = useState<PrintedRows | null>(null);
  const beforePrint = () => {
    const thread = file.thread(choice.agent);
    const load = (from: number, count: number) =>
      thread?.window(parseFold(choice.fold ?? ""), from, count) ?? null;
    const { position, open } = store.thread.get();
    const rows = loadPrintedRowsNow(load, position.first);
    loadCallsNow(client, sessionId, openCalls(rows?.rows ?? [], open), (row) =>
      file.call(row.recordId, row.block),
    );
    // The browser prints the page's contents at the time when this returns.
    flushSync(() => setPrinted(rows));
  };
  useBrowserPrint(beforePrint, () => setPrinted(null));
  if (!printed) return null;
  const { title, facts } = file.session;
  const head = (
    <>
      <h1 className="text-15 font-semibold">{title}</h1>
      <p className="mb-3 text-12 text-fg-2">{facts}</p>
    </>
  );
  return <ThreadSheet printed={printed} head={head} />;
}

function OpenImage() {
  const shown = usePageDialog();
  if (shown === null || typeof shown !== "object" || !("image" in shown)) return null;
  return <ImageDialog {...shown} onOpenChange={(open) => !open && openPageDialog(null)} />;
}

/** The keys of the page's thread, and of agents beside it. */
export function useThreadKeys(): void {
  const { store } = useSessionPage();
  const { atHand } = store;
  const copy = copyCommand("copy the row’s text", () => {
    const thread = atHand.get();
    void copyRow(thread.sessionId, thread.selected()?.row ?? null);
  });
  useKeys([...readingCommands(atHand), copy, ...paneCommands(store)]);
}
