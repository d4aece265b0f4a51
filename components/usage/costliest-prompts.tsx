import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowDown, MessageSquareText } from "lucide-react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { PageLink } from "@/components/ui/page-link";
import { EmptyState, FailedState, LookingThrough, SkeletonRows } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import {
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatModel,
  formatPlural,
} from "@/lib/format/format";
import { shownName, shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ProjectId } from "@/lib/wire/ids";
import {
  type PromptUsage,
  type UsagePromptSort,
  type UsagePromptsResponse,
  usageTokens,
} from "@/lib/wire/usage";
import { UsageScroll, useShownRows } from "./usage-scroll";

/** The listed prompts: those of the page's range, project and threads, in this order. */
type CostliestAsked = {
  from: string | null;
  to: string | null;
  project: ProjectId | null;
  agents: boolean;
  sort: UsagePromptSort;
};

/** Sessions are looked through while somebody asks. */
const AGAIN_MS = 1_000;
/** The API gives no more at once. */
const MAX_LISTED = 1_000;

/** The prompts of all sessions of which most came, each with the way to its turn. */
export function CostliestPrompts({
  asked,
  onSort,
  onAll,
}: {
  asked: CostliestAsked;
  onSort: (sort: UsagePromptSort) => void;
  /** Shows every range, project and thread. */
  onAll: () => void;
}) {
  const list = JSON.stringify(["prompts", asked]);
  const shown = useShownRows(list);
  const limit = Math.min(shown.count, MAX_LISTED);
  const { data, error, refetch } = useQuery({
    queryKey: ["usage-prompts", asked, limit],
    queryFn: ({ signal }) => api.usagePrompts({ ...asked, limit }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.complete === false ? AGAIN_MS : false),
    // As the figures above them are.
    refetchOnWindowFocus: true,
  });
  if (error && !data)
    return <FailedState title="Couldn’t list the prompts" error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={14} label="Listing the prompts" />;
  const isNarrowed = asked.from !== null || asked.to !== null || asked.project !== null || !asked.agents;
  return (
    <>
      {!data.complete && <LookingThrough sessions={data.sessions} order="the most expensive first" />}
      {data.total === 0 && !data.complete ? (
        <SkeletonRows count={14} label="Listing the prompts" />
      ) : data.total === 0 ? (
        <EmptyState
          icon={MessageSquareText}
          title={isNarrowed ? "No prompts in this range" : "No prompts that used tokens"}
          actions={isNarrowed && <Button onClick={onAll}>Show all</Button>}
        >
          Usage comes from the counts that logs have of each answer.
        </EmptyState>
      ) : (
        <UsageScroll label="Costliest prompts" list={list} count={shown.count}>
          <Totals totals={data.totals} />
          <PromptTable prompts={data.prompts} sort={asked.sort} onSort={onSort} />
          {shown.more(Math.min(data.total, MAX_LISTED))}
          {shown.count >= MAX_LISTED && data.total > MAX_LISTED && (
            <p className="p-3 text-12 text-fg-3">
              The first {formatCount(MAX_LISTED)} of {formatCount(data.total)}. A range or a project shows the
              others.
            </p>
          )}
        </UsageScroll>
      )}
    </>
  );
}

function Totals({
  totals: { prompts, tokens, costMicroUsd, unpricedTokens, durationMs },
}: Pick<UsagePromptsResponse, "totals">) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1 px-3 pt-2.5 pb-1.5 text-12 text-fg-3 tabular-nums">
      <span>
        <span className="text-15 font-semibold text-fg">{formatCost(costMicroUsd, unpricedTokens)}</span> for{" "}
        {formatPlural(prompts, "prompt")}
      </span>
      <span>
        <span className="font-semibold text-fg">{formatCompact(tokens)}</span> tokens
      </span>
      {durationMs > 0 && (
        <span>
          <span className="font-semibold text-fg">{formatDuration(durationMs)}</span> of work
        </span>
      )}
    </p>
  );
}

const HEAD =
  "sticky top-0 z-10 h-6 border-b border-line bg-panel px-2 font-normal text-fg-3 whitespace-nowrap";
const CELL = "px-2 text-right whitespace-nowrap";

function PromptTable({
  prompts,
  sort,
  onSort,
}: {
  prompts: readonly PromptUsage[];
  sort: UsagePromptSort;
  onSort: (sort: UsagePromptSort) => void;
}) {
  const most = prompts.reduce((max, { costMicroUsd }) => Math.max(max, costMicroUsd ?? 0), 1);
  const order = { sort, onSort };
  return (
    <table
      aria-label="Prompts by what came of them"
      className="w-full table-fixed border-separate border-spacing-0 text-12 tabular-nums"
    >
      <colgroup>
        <col />
        <col className="w-[24%] max-lg:hidden" />
        <col className="w-[calc(96px*var(--u))] max-md:hidden" />
        <col className="w-[calc(84px*var(--u))] max-md:hidden" />
        <col className="w-[calc(76px*var(--u))] max-sm:w-[calc(64px*var(--u))]" />
        <col className="w-[calc(88px*var(--u))] max-sm:w-[calc(76px*var(--u))]" />
        <col className="w-[10%] max-lg:hidden" />
      </colgroup>
      <thead className="text-11">
        <tr>
          <th scope="col" className={clsx(HEAD, "pl-3 text-left")}>
            Prompt
          </th>
          <th scope="col" className={clsx(HEAD, "text-left max-lg:hidden")}>
            Session
          </th>
          <Head by="time" order={order} title="When it was typed" className="max-md:hidden">
            When
          </Head>
          <Head
            by="duration"
            order={order}
            title="Until its work was done, without the time in which you were away"
            className="max-md:hidden"
          >
            Duration
          </Head>
          <Head by="tokens" order={order} title="All tokens of its requests">
            Tokens
          </Head>
          <Head by="cost" order={order} title="API-equivalent">
            Cost
          </Head>
          <td aria-hidden="true" className={clsx(HEAD, "max-lg:hidden")} />
        </tr>
      </thead>
      <tbody>
        {prompts.map((one) => (
          <PromptRow key={`${one.sessionId} ${one.recordId}`} usage={one} most={most} />
        ))}
      </tbody>
    </table>
  );
}

/** A column's head, which orders the rows by it: the most first, or the latest. */
function Head({
  by,
  order: { sort, onSort },
  title,
  className,
  children,
}: {
  by: UsagePromptSort;
  order: { sort: UsagePromptSort; onSort: (sort: UsagePromptSort) => void };
  title: string;
  className?: string;
  children: string;
}) {
  const isSorted = sort === by;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? "descending" : "none"}
      className={clsx(HEAD, "text-right", className)}
    >
      <button
        type="button"
        title={title}
        className={clsx(
          "inline-flex h-6 items-center gap-0.5 hover:text-fg",
          isSorted && "font-semibold text-fg",
        )}
        onClick={() => onSort(by)}
      >
        {children}
        {isSorted && <Icon of={ArrowDown} small />}
      </button>
    </th>
  );
}

function PromptRow({ usage, most }: { usage: PromptUsage; most: number }) {
  const { sessionId, title, recordId, prompt, atMs, durationMs, costMicroUsd, unpricedTokens } = usage;
  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  const tokens = usageTokens(usage);
  const said = prompt === "" ? "an image" : shownName(prompt, "(blank prompt)");
  return (
    <tr className="h-row hover:bg-raised">
      <th scope="row" className="truncate py-0.5 pr-2 pl-3 text-left font-normal">
        <PageLink
          href={`${session}?at=${encodeURIComponent(recordId)}`}
          className="hover:underline"
          title={labelHidden(prompt)}
        >
          <VisibleText text={said} />
        </PageLink>
      </th>
      <td className="truncate px-2 max-lg:hidden">
        <PageLink href={session} className="text-fg-2 hover:underline" title={labelHidden(title)}>
          <VisibleText text={shownTitle(title)} />
        </PageLink>
      </td>
      <td className={clsx(CELL, "text-fg-2 max-md:hidden")}>
        {atMs === null ? "no time" : <Time atMs={atMs} />}
      </td>
      <td className={clsx(CELL, "text-fg-2 max-md:hidden")}>
        {durationMs === null ? "" : formatDuration(durationMs)}
      </td>
      <td className={clsx(CELL, "text-fg-2")} title={`${formatCount(tokens)} tokens`}>
        {formatCompact(tokens)}
      </td>
      <td className={CELL} title={costTitle(usage)}>
        {formatCost(costMicroUsd, unpricedTokens)}
      </td>
      <td aria-hidden="true" className="pr-3 pl-1 max-lg:hidden">
        <span
          className={clsx("block h-1.5 bg-lane-6", costMicroUsd && "min-w-px")}
          style={{ width: `${(100 * (costMicroUsd ?? 0)) / most}%` }}
        />
      </td>
    </tr>
  );
}

/** Which models, and what agents have of the cost. */
function costTitle({ models, agentsMicroUsd }: PromptUsage): string {
  const own = models.map((model) => formatModel(model)).join(", ");
  const agents = agentsMicroUsd === null ? "" : `\n${formatCost(agentsMicroUsd, 0)} of it agents’`;
  return labelHidden(`${own}${agents}`);
}
