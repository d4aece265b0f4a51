import { clsx } from "clsx";
import { ChartColumn } from "lucide-react";
import { type ReactNode, type RefObject, useMemo, useRef } from "react";
import { Sheet, SheetHead } from "@/components/session/print/print-sheet";
import { useSessionPage } from "@/components/session/session-store";
import { nameOfAgent, useAgents } from "@/components/session/use-agents";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { useBoxPlace } from "@/components/ui/list-place";
import { DetailState, EmptyState } from "@/components/ui/states";
import { formatCount, formatDollars, formatPlural } from "@/lib/format/format";
import type { AgentId } from "@/lib/wire/ids";
import type { RequestingThread, SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { ContextChart } from "./context-chart";
import { FactList } from "./fact-list";
import { MissList } from "./miss-list";
import { type RequestThread, useRequests } from "./read-requests";
import { missedRequests, namedMiss } from "./request-series";
import { RequestsTable } from "./requests-table";
import { useWayBack } from "./use-way-back";

const LOOKS = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
] as const;
type Look = (typeof LOOKS)[number]["value"];

/** What filled the model's window, request by request, and why the cache was missed: in the thread's place. */
export function RequestsView({ printed }: { printed: boolean }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const query = useRequests(sessionId, session?.revision ?? null, { step: url.step, agent: url.agent });
  const thread = query.data && query.data.requests.length > 0 ? query.data : undefined;
  const threads = thread?.threads ?? [];
  const look: Look = url.look === "table" ? "table" : "chart";
  const setLook = (chosen: Look) => setUrl({ look: chosen === "table" ? "table" : null }, "replace");
  // Until it has come, the thread before stands below the choice of another one.
  const chosen = threads.find(({ first }) => first === url.step) ?? thread;
  // In the address, so that a reload and the way back from a row lead to the same requests.
  const choose = (agent: AgentId | null) => {
    const first = threads.find(({ agentId }) => agentId === agent)?.first;
    if (first) setUrl({ step: first });
  };
  const named = namedMiss(thread, url);
  const box = useRef<HTMLDivElement>(null);
  const { onScroll, leave } = useRequestsPlace(box, named, thread !== undefined);
  const goTo = (withContext: boolean) => (request: SessionRequest) => {
    leave();
    store.views.leaveForRequest(request, withContext);
  };
  const ways = { onRecord: goTo(false), onContext: goTo(true) };
  return (
    <section aria-label="Context over time" className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex min-h-tool flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-2 bg-panel px-3 py-1 text-12 whitespace-nowrap text-fg-2 tabular-nums">
        <h2 className="font-semibold text-fg">Context over time</h2>
        {threads.length > 1 ? (
          <ThreadChoice threads={threads} value={chosen?.agentId ?? null} onChange={choose} />
        ) : (
          <OnlyThread />
        )}
        {thread && <RequestCount thread={thread} isReading={query.isFetching} />}
        {thread && query.isError && <Button onClick={() => void query.refetch()}>Read on</Button>}
        <span className="text-fg-3 max-lg:hidden">
          What was sent is the API’s count; its parts are estimated by characters
        </span>
        <span className="flex-1" />
        {(thread || !query.data) && (
          <Segmented label="Show as" choices={LOOKS} value={look} onChange={setLook} />
        )}
        <Button onClick={store.views.close}>
          Back<span className="max-sm:sr-only"> to the thread</span>
        </Button>
      </div>
      {!query.data ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : !thread ? (
        <EmptyState icon={ChartColumn} title="No requests">
          The log has no answer of the model.
        </EmptyState>
      ) : (
        <div
          ref={box}
          onScroll={onScroll}
          className="min-h-0 overflow-y-auto"
          role="region"
          aria-label="Requests and cache misses"
          tabIndex={0}
        >
          <ThreadRequests thread={thread} look={look} named={named} {...ways} />
        </div>
      )}
      {printed && thread && (
        <Sheet>
          <SheetHead />
          <ThreadRequests thread={thread} look="chart" named={named} onPaper {...ways} />
        </Sheet>
      )}
    </section>
  );
}

/**
 * Keeps the reader's place among the requests. Whoever goes from one miss to its row comes back to the next; a link to
 * another one leads there.
 * @param isThere the requests are in the box
 * @returns `leave` is to be called before the reader is led away
 */
function useRequestsPlace(
  box: RefObject<HTMLDivElement | null>,
  named: SessionRequest | undefined,
  isThere: boolean,
) {
  const { sessionId } = useSessionPage();
  const list = named ? `${sessionId} ${named.recordId}` : sessionId;
  const onScroll = useBoxPlace({ view: "context", list }, box, isThere, ":is(li, tr)[aria-current]");
  const leave = useWayBack(list, box, isThere);
  return { onScroll, leave };
}

/** The requests of one thread, those of them that missed the cache, and what else the log has of the session. */
function ThreadRequests({
  thread: { agentId, requests, total },
  look,
  named,
  onPaper = false,
  onRecord,
  onContext,
}: {
  thread: RequestThread;
  look: Look;
  named: SessionRequest | undefined;
  onPaper?: boolean;
  /** Leads to the row of a request. */
  onRecord: (request: SessionRequest) => void;
  /** Leads there and opens what was sent with it. */
  onContext: (request: SessionRequest) => void;
}) {
  const missed = useMemo(() => missedRequests(requests), [requests]);
  return (
    <>
      {look === "chart" ? (
        <ContextChart
          key={agentId}
          requests={requests}
          total={total}
          named={named}
          onPaper={onPaper}
          onGo={onContext}
        />
      ) : (
        <RequestsTable key={agentId} requests={requests} named={named} onGo={onContext} />
      )}
      <Section
        title="Cache misses"
        facts={[
          missed.length === 0 ? "none" : missWords(missed.map(({ miss }) => miss.microUsd)),
          requests.length < total && `in the first ${formatPlural(requests.length, "request")}`,
        ]
          .filter(Boolean)
          .join(" ")}
      >
        {missed.length === 0 && requests.length < total ? null : (
          <MissList missed={missed} named={named} onRecord={onRecord} onContext={onContext} />
        )}
      </Section>
      <Section title="What else there was" facts="of the whole session, agents included">
        <FactList />
      </Section>
    </>
  );
}

/** How many requests there are; while they come, how many of them are here. */
function RequestCount({ thread, isReading }: { thread: RequestThread; isReading: boolean }) {
  const { requests, total } = thread;
  if (requests.length >= total)
    return <span className="max-sm:hidden">{formatPlural(total, "request")}</span>;
  return (
    <span
      role={isReading ? "progressbar" : undefined}
      aria-label="Requests read"
      aria-valuenow={requests.length}
      aria-valuemax={total}
    >
      {formatCount(requests.length)} of {formatPlural(total, "request")}
      {isReading ? "…" : ""}
    </span>
  );
}

function missWords(costs: readonly (number | null)[]): string {
  const sum = costs.reduce<number>((all, one) => all + (one ?? 0), 0);
  return `${formatCount(costs.length)}${sum > 0 ? `, ${formatDollars(sum)} more than with the cache` : ""}`;
}

function Section({ title, facts, children }: { title: string; facts: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-2 border-t border-line-2">
      <h3 className="flex flex-wrap gap-x-3 bg-panel px-3 py-1 text-12 font-semibold">
        <span className="whitespace-nowrap">{title}</span>
        <span className="font-normal text-fg-2 tabular-nums">{facts}</span>
      </h3>
      {children}
    </section>
  );
}

/**
 * In place of the choice while there is nothing to choose, on a phone alone: the bar, which is two lines there, would grow as
 * the agents arrive.
 */
function OnlyThread() {
  return (
    <select aria-label="Whose requests" disabled className={clsx(CHOICE, "sm:hidden")}>
      <option>Main thread</option>
    </select>
  );
}

const CHOICE = "h-control max-w-64 min-w-0 rounded-2 border border-line-2 bg-bg px-1.5 text-fg max-sm:w-40";

/** Whose requests are shown. */
function ThreadChoice({
  threads,
  value,
  onChange,
}: {
  threads: readonly RequestingThread[];
  value: AgentId | null;
  onChange: (agent: AgentId | null) => void;
}) {
  const { sessionId } = useSessionPage();
  const { data } = useAgents(sessionId);
  const nameOf = (agentId: AgentId | null) => {
    if (agentId === null) return "Main thread";
    const agent = data?.agents.find((one) => one.agentId === agentId);
    return agent ? nameOfAgent(agent) : agentId;
  };
  return (
    <select
      aria-label="Whose requests"
      className={CHOICE}
      value={value ?? ""}
      onChange={({ target }) => onChange((target.value || null) as AgentId | null)}
    >
      {threads.map(({ agentId, requests }) => (
        <option key={agentId} value={agentId ?? ""}>
          {nameOf(agentId)} ({formatCount(requests)})
        </option>
      ))}
    </select>
  );
}
