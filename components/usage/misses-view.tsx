import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck } from "lucide-react";
import { VisibleText } from "@/components/content/text/visible-text";
import { causeHint, causeName } from "@/components/session/requests/request-series";
import { Button } from "@/components/ui/button";
import { PageLink } from "@/components/ui/page-link";
import { EmptyState, FailedState, LookingThrough, SkeletonRows } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatCompact, formatCost, formatCount, formatModel } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ProjectId } from "@/lib/wire/ids";
import type { MissCause } from "@/lib/wire/model-requests/session-requests";
import type { MissSums, UsageMiss, UsageMissesResponse } from "@/lib/wire/usage";
import { UsageScroll } from "./usage-scroll";

/** The listed misses: those of the page's range, project and threads, and of one cause or of all. */
export type MissesAsked = {
  from: string | null;
  to: string | null;
  project: ProjectId | null;
  agents: boolean;
  cause: MissCause | null;
};

/** Sessions are searched while somebody asks. */
const AGAIN_MS = 1_000;

/** The cost of cache misses over sessions, by cause, and the most expensive misses, each a link to its request. */
export function MissesView({
  asked,
  onCause,
  onAll,
}: {
  asked: MissesAsked;
  onCause: (cause: MissCause | null) => void;
  /** Shows every range, project and thread. */
  onAll: () => void;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ["usage-misses", asked],
    queryFn: ({ signal }) => api.usageMisses(asked, { signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.complete === false ? AGAIN_MS : false),
    // As the figures above them are.
    refetchOnWindowFocus: true,
  });
  if (error && !data)
    return (
      <FailedState title="Couldn’t look for cache misses" error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <SkeletonRows count={14} label="Looking for cache misses" />;
  const list = JSON.stringify(["misses", asked]);
  const isNarrowed = asked.from !== null || asked.to !== null || asked.project !== null || !asked.agents;
  return (
    <>
      {!data.complete && <LookingThrough sessions={data.sessions} order="the most expensive first" />}
      {data.totals.requests === 0 && !data.complete ? (
        <SkeletonRows count={14} label="Looking for cache misses" />
      ) : data.totals.requests === 0 ? (
        <EmptyState
          icon={CircleCheck}
          title={isNarrowed ? "No cache misses in this range" : "No cache misses"}
          actions={isNarrowed && <Button onClick={onAll}>Show all</Button>}
        >
          Every request read from the cache what the one before had left there.
        </EmptyState>
      ) : (
        <UsageScroll label="Cache misses" list={list} count={1}>
          <Totals totals={data.totals} />
          <Causes causes={data.causes} chosen={asked.cause} onChoose={onCause} />
          <Misses data={data} cause={asked.cause} />
        </UsageScroll>
      )}
    </>
  );
}

const amountOf = ({ microUsd, lostTokens, unpricedTokens }: MissSums) =>
  formatCost(microUsd, microUsd === null ? lostTokens : unpricedTokens);

function Totals({ totals }: { totals: MissSums }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1 px-3 pt-2.5 pb-1.5 text-12 tabular-nums">
      <span className="flex items-baseline gap-1.5 text-fg-3">
        <span className="text-15 font-semibold text-fg">{amountOf(totals)}</span> more than with the cache
      </span>
      <span className="text-fg-3">
        <span className="font-semibold text-fg">{formatCompact(totals.lostTokens)}</span> tokens paid for
        again
      </span>
      <span className="text-fg-3">
        <span className="font-semibold text-fg">{formatCount(totals.requests)}</span>{" "}
        {totals.requests === 1 ? "request" : "requests"}
      </span>
    </p>
  );
}

const HEAD = "border-b border-line bg-panel px-2 text-11 font-normal text-fg-2 h-6";
const CELL = "px-2 text-right whitespace-nowrap";

/** The cost of each cause; a chosen one is listed alone. */
function Causes({
  causes,
  chosen,
  onChoose,
}: {
  causes: UsageMissesResponse["causes"];
  chosen: MissCause | null;
  onChoose: (cause: MissCause | null) => void;
}) {
  const most = Math.max(1, ...causes.map(({ microUsd }) => microUsd ?? 0));
  return (
    <table
      aria-label="Cache misses by cause"
      className="w-full table-fixed border-separate border-spacing-0 text-12 tabular-nums"
    >
      <colgroup>
        <col />
        <col className="w-[calc(84px*var(--u))] max-sm:w-[calc(64px*var(--u))]" />
        <col className="w-[calc(84px*var(--u))] max-sm:w-[calc(64px*var(--u))]" />
        <col className="w-[calc(84px*var(--u))] max-sm:w-[calc(72px*var(--u))]" />
        <col className="w-[18%] max-lg:w-[12%] max-sm:hidden" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className={clsx(HEAD, "pl-3 text-left")}>
            Cause
          </th>
          {["Requests", "Tokens", "Cost"].map((name) => (
            <th key={name} scope="col" className={clsx(HEAD, "text-right")}>
              {name}
            </th>
          ))}
          <td aria-hidden="true" className={clsx(HEAD, "max-sm:hidden")} />
        </tr>
      </thead>
      <tbody>
        {causes.map((sums) => {
          const { cause, microUsd, lostTokens, requests } = sums;
          return (
            <tr key={cause} className={clsx("h-row", cause === chosen ? "bg-sel" : "hover:bg-raised")}>
              <th scope="row" className="truncate px-3 text-left font-normal">
                <button
                  type="button"
                  aria-pressed={cause === chosen}
                  title={causeHint(cause)}
                  className="max-w-full truncate hover:underline aria-pressed:font-semibold"
                  onClick={() => onChoose(cause === chosen ? null : cause)}
                >
                  {causeName(cause)}
                  <span className="ml-2 font-normal text-fg-3 max-lg:hidden">{causeHint(cause)}</span>
                </button>
              </th>
              <td className={clsx(CELL, "text-fg-2")}>{formatCount(requests)}</td>
              <td className={clsx(CELL, "text-fg-2")} title={`${formatCount(lostTokens)} paid for again`}>
                {formatCompact(lostTokens)}
              </td>
              <td className={CELL}>{amountOf(sums)}</td>
              <td aria-hidden="true" className="pr-3 pl-1 max-sm:hidden">
                <span
                  className={clsx("block h-1.5 bg-lane-6", microUsd && "min-w-px")}
                  style={{ width: `${(100 * (microUsd ?? 0)) / most}%` }}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Misses({ data, cause }: { data: UsageMissesResponse; cause: MissCause | null }) {
  const { misses, totals, causes } = data;
  const all = cause === null ? totals.requests : (causes.find((one) => one.cause === cause)?.requests ?? 0);
  return (
    <section aria-label="The costliest misses" className="mt-3 border-t border-line-2">
      <h2 className="flex gap-3 bg-panel px-3 py-1 text-12 font-semibold">
        {cause === null ? "The costliest" : causeName(cause)}
        <span className="font-normal text-fg-2 tabular-nums">
          {all > misses.length ? `${formatCount(misses.length)} of ${formatCount(all)}` : formatCount(all)}
        </span>
      </h2>
      <ol aria-label="Cache misses, the costliest first">
        {misses.map((miss) => (
          <Miss key={`${miss.sessionId} ${miss.recordId}`} miss={miss} />
        ))}
      </ol>
    </section>
  );
}

/** A miss: its session's title links to the request, its cause to why it missed, among those of the session. */
function Miss({ miss }: { miss: UsageMiss }) {
  const { sessionId, title, recordId, agentId, atMs, model, cause, lostTokens, microUsd, exact } = miss;
  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  const agent = agentId === null ? "" : `&agent=${encodeURIComponent(agentId)}`;
  return (
    <li
      className={clsx(
        "grid min-h-row items-center gap-x-3 border-t border-line px-3 py-0.5 text-12 tabular-nums hover:bg-raised",
        "grid-cols-[calc(64px*var(--u))_calc(52px*var(--u))_minmax(0,5fr)_minmax(0,7fr)_calc(96px*var(--u))_calc(112px*var(--u))]",
        "max-lg:grid-cols-[calc(64px*var(--u))_calc(52px*var(--u))_minmax(0,1fr)_minmax(0,1fr)]",
        "max-sm:grid-cols-[calc(52px*var(--u))_minmax(0,1fr)]",
      )}
    >
      <span className="text-right font-semibold whitespace-nowrap">
        {formatCost(microUsd, microUsd === null ? lostTokens : 0)}
      </span>
      <span
        className="text-right whitespace-nowrap text-fg-2 max-sm:hidden"
        title={`${formatCount(lostTokens)} tokens were paid for again`}
      >
        {formatCompact(lostTokens)}
      </span>
      <PageLink
        href={`${session}?view=context${agent}&step=${encodeURIComponent(recordId)}`}
        className="truncate text-fg-2 hover:underline max-sm:order-1 max-sm:col-start-2"
        title={`${causeHint(cause)}\n${exact ? "From logged requests" : "From the records"}: all of the session’s`}
      >
        {causeName(cause)}
      </PageLink>
      <PageLink
        href={`${session}?at=${encodeURIComponent(recordId)}${agent}`}
        className="truncate hover:underline"
        title={labelHidden(`The request in “${title}”`)}
      >
        <VisibleText text={shownTitle(title)} />
      </PageLink>
      <span className="truncate text-fg-2 max-lg:hidden" title={labelHidden(model)}>
        {formatModel(model)}
      </span>
      <span className="text-right whitespace-nowrap text-fg-3 max-lg:hidden">
        {atMs === null ? "no time" : <Time atMs={atMs} />}
      </span>
    </li>
  );
}
