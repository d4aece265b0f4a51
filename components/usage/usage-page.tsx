"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Download, Wallet } from "lucide-react";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { PageMenu } from "@/components/share/page-menu";
import { Button } from "@/components/ui/button";
import { CheckField, Segmented } from "@/components/ui/field";
import { Foot, Frame } from "@/components/ui/frame";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { EmptyState, ErrorState, Progress, SkeletonRows, StateBar } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { useProjects } from "@/lib/client/queries";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import { formatCompact, formatCost, formatCount, formatPlural } from "@/lib/format/format";
import { projectNames } from "@/lib/format/text";
import type { ProjectId } from "@/lib/wire/ids";
import { MISS_CAUSES } from "@/lib/wire/session-requests";
import { USAGE_BY, type UsageBy, type UsageResponse, type UsageRow, usageTokens } from "@/lib/wire/usage";
import { MissesView } from "./misses-view";
import { UsageBars } from "./usage-chart";
import { UsageScroll, useShownRows } from "./usage-scroll";
import { type Bar, dayOf, MEASURES, type Measure, usageChart, usageCsv } from "./usage-series";
import { sortedRows, USAGE_SORTS, UsageTable } from "./usage-table";

const BY: readonly { value: UsageBy; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
  { value: "project", label: "Project" },
  { value: "model", label: "Model" },
  { value: "branch", label: "Branch" },
  { value: "agent", label: "Agent" },
  { value: "tool", label: "Tool" },
  { value: "session", label: "Session" },
];

const MEASURE_CHOICES: readonly { value: Measure; label: string }[] = [
  { value: "cost", label: "Cost" },
  { value: "tokens", label: "Tokens" },
];

const VIEWS = ["sums", "misses"] as const;

const VIEW_CHOICES: readonly { value: (typeof VIEWS)[number]; label: string }[] = [
  { value: "sums", label: "Usage" },
  { value: "misses", label: "Cache misses" },
];

/** Ranges of this many days up to today; 0 is everything. */
const RANGES = [7, 30, 90, 0] as const;

/** The query and how it is shown, in the address. `from`, `to`: days, both included. */
function useUsageUrl() {
  return useQueryStates(
    {
      view: parseAsStringLiteral(VIEWS).withDefault("sums"),
      by: parseAsStringLiteral(USAGE_BY).withDefault("day"),
      from: parseAsString,
      to: parseAsString,
      project: parseAsString,
      agents: parseAsBoolean.withDefault(true),
      measure: parseAsStringLiteral(MEASURES).withDefault("cost"),
      sort: parseAsStringLiteral(USAGE_SORTS),
      up: parseAsBoolean.withDefault(false),
      cause: parseAsStringLiteral(MISS_CAUSES),
    },
    { history: "replace" },
  );
}

/** What was used and what it would cost: over time as a chart, and grouped as the reader chooses as a table. */
export function UsagePage() {
  const [{ view, by, from, to, project, agents, measure, sort, up, cause }, setUrl] = useUsageUrl();
  const isTime = by === "day" || by === "week" || by === "month";
  const order = sort ?? (isTime ? "name" : measure);
  const list = JSON.stringify([by, from, to, project, agents, order, up]);
  const shown = useShownRows(list);
  // There may be tens of thousands of sessions. In the server's own order only those are asked for that are drawn.
  const isPaged = by === "session" && order === "cost" && !up;
  const rows = useUsage(by, isPaged ? shown.count : null);
  const days = useUsage("day", null);
  const { data, error } = rows;
  const chart = useMemo(
    () =>
      days.data &&
      usageChart(days.data.rows, measure, by === "week" || by === "month" || by === "day" ? by : null),
    [days.data, measure, by],
  );
  const sorted = useMemo(
    () => (isPaged ? (data?.rows ?? []) : sortedRows(by, data?.rows ?? [], order, up)),
    [by, data, isPaged, order, up],
  );
  const showAll = () => void setUrl({ from: null, to: null, project: null, agents: true });
  const choose = (bar: Bar) =>
    void setUrl({ from: bar.from, to: bar.to, by: isTime ? "session" : by }, { history: "push" });
  return (
    <Frame
      top={<UsageTop />}
      foot={
        <Foot
          left={
            <span>
              API-equivalent: list prices{data ? ` as of ${data.pricesAsOf}` : ""}, not what a plan charges
            </span>
          }
          right={<span>What forks and resumed sessions repeat counts once</span>}
        />
      }
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      <main className="flex flex-col" tabIndex={-1}>
        <ToolBar days={days.data?.rows ?? []} />
        {data && !data.complete && view === "sums" && <Reading />}
        {view === "misses" ? (
          <MissesView
            asked={{ from, to, project: project as ProjectId | null, agents, cause }}
            onCause={(chosen) => void setUrl({ cause: chosen })}
            onAll={showAll}
          />
        ) : error && !data ? (
          <ErrorState
            title="Couldn’t add up the usage"
            message={error.message}
            hint={error instanceof ApiError ? error.hint : undefined}
            onRetry={() => void rows.refetch()}
          />
        ) : !data || !chart ? (
          <SkeletonRows count={14} label="Adding up" />
        ) : data.totals.requests === 0 ? (
          <EmptyState
            icon={Wallet}
            title="No requests in this range"
            actions={<Button onClick={showAll}>Show all</Button>}
          >
            Usage comes from the counts that logs have of each answer. Sessions before client 1.0 may have
            none.
          </EmptyState>
        ) : (
          <UsageScroll label="Usage" list={list} count={shown.count}>
            <Totals usage={data} />
            <UsageBars chart={chart} measure={measure} onChoose={choose} />
            <UsageTable
              by={by}
              of={{ project, from, to }}
              rows={sorted}
              total={data.total}
              shown={shown}
              totals={data.totals}
              measure={measure}
              sort={order}
              up={up}
              onSort={(next, ascending) => void setUrl({ sort: next, up: ascending })}
            />
          </UsageScroll>
        )}
      </main>
    </Frame>
  );
}

/** What is asked for of the usage: the range and the threads of the address, grouped as requested. */
function useUsageAsked(by: UsageBy) {
  const [{ from, to, project, agents }] = useUsageUrl();
  return { by, from, to, project: project as ProjectId | null, agents };
}

/** The usage in the range and the threads of the address: so many rows of it, `null` for all. */
function useUsage(by: UsageBy, limit: number | null) {
  const health = useHealth();
  const asked = { ...useUsageAsked(by), limit };
  return useQuery({
    queryKey: ["usage", asked],
    queryFn: ({ signal }) => api.usage(asked, { signal }),
    placeholderData: (before) => (before?.by === by ? before : undefined),
    refetchInterval: ({ state }) => listPollMs(health.data, state.data?.complete ?? false),
    refetchOnWindowFocus: true,
  });
}

function UsageTop() {
  const [{ view }, setUrl] = useUsageUrl();
  return (
    <>
      <Link href="/" className="flex-none font-semibold hover:underline">
        Backscroll
      </Link>
      <span aria-hidden="true" className="text-fg-3">
        /
      </span>
      <h1 className="flex-1 font-semibold">Usage</h1>
      <Segmented
        label="Show"
        choices={VIEW_CHOICES}
        value={view}
        onChange={(value) => void setUrl({ view: value }, { history: "push" })}
      />
      <PageMenu />
    </>
  );
}

/** The range, the project and the threads, what is counted, and how it is grouped. */
function ToolBar({ days }: { days: readonly UsageRow[] }) {
  const [{ view, by, from, to, project, agents, measure }, setUrl] = useUsageUrl();
  const isSums = view === "sums";
  const projects = useProjects().data ?? [];
  // Newest first; rows without a time come last.
  const [last, first] = [days[0]?.key ?? "", days.findLast(({ key }) => key !== "")?.key ?? ""];
  const range = RANGES.find((days) => to === null && from === (days === 0 ? null : daysAgo(days))) ?? -1;
  return (
    <div className="flex min-h-tool flex-none flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line-2 bg-panel px-3 py-1 text-12">
      {isSums && (
        <span className="max-w-full overflow-x-auto">
          <Segmented
            label="By"
            choices={BY}
            value={by}
            onChange={(value) => void setUrl({ by: value, sort: null, up: null })}
          />
        </span>
      )}
      <Segmented
        label="Range"
        choices={RANGES.map((value) => ({
          value: value as number,
          label: value === 0 ? "All" : `${value} d`,
        }))}
        value={range}
        onChange={(days) => void setUrl({ from: days === 0 ? null : daysAgo(days), to: null })}
      />
      <span className="inline-flex items-center gap-1.5 text-fg-3 max-sm:order-2">
        <Day label="From" value={from} usual={first} onChange={(value) => void setUrl({ from: value })} />
        –
        <Day label="To" value={to} usual={last} onChange={(value) => void setUrl({ to: value })} />
      </span>
      <select
        aria-label="Project"
        value={project ?? ""}
        onChange={(event) => void setUrl({ project: event.target.value || null })}
        className="h-6 w-40 rounded-2 border border-line-3 bg-bg px-1 text-12 max-sm:order-2"
      >
        <option value="">All projects</option>
        {[...projectNames(projects)].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {isSums && (
        <Segmented
          label="Measure"
          className="max-sm:order-1"
          choices={MEASURE_CHOICES}
          value={measure}
          onChange={(value) => void setUrl({ measure: value, sort: null, up: null })}
        />
      )}
      <span className="inline-flex items-center max-sm:order-3" title="Without what agents used">
        <CheckField checked={!agents} onChange={(own) => void setUrl({ agents: !own })}>
          Own only
        </CheckField>
      </span>
    </div>
  );
}

/**
 * A day of the range.
 * @param usual the day shown if none is chosen: the extent of the rows
 */
function Day({
  label,
  value,
  usual,
  onChange,
}: {
  label: string;
  value: string | null;
  usual: string;
  onChange: (day: string | null) => void;
}) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value ?? usual}
      onChange={(event) => onChange(event.target.value || null)}
      className={clsx(
        "h-6 w-[calc(116px*var(--u))] rounded-2 border border-line-3 bg-bg px-1.5 text-12 tabular-nums focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent",
        value === null ? "text-fg-3" : "text-fg",
      )}
    />
  );
}

function DownloadButton({
  name,
  type,
  usage,
  text,
}: {
  name: string;
  type: string;
  usage: UsageResponse;
  text: (usage: UsageResponse) => string;
}) {
  const asked = useUsageAsked(usage.by);
  const download = async () => {
    const whole = usage.nextCursor === null ? usage : await api.usage(asked).catch(sayWhy);
    if (whole === null) return;
    const url = URL.createObjectURL(new Blob([text(whole)], { type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `usage by ${usage.by}.${name.toLowerCase()}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Button onClick={() => void download()} aria-label={`Download as ${name}`}>
      <Icon of={Download} small />
      {name}
    </Button>
  );
}

/** Says why the rows that are not shown could not be fetched. */
function sayWhy(error: unknown): null {
  toast(error instanceof Error ? error.message : "The usage could not be read", "err");
  return null;
}

/** The totals in one line, and as a file. */
function Totals({ usage }: { usage: UsageResponse }) {
  const { totals, pricesAsOf } = usage;
  const { costMicroUsd, unpricedTokens, requests, sessions, webSearches } = totals;
  const facts: [string, string, string?][] = [
    ["API-equivalent", formatCost(costMicroUsd, unpricedTokens)],
    ["tokens", formatCompact(usageTokens(totals))],
    [requests === 1 ? "request" : "requests", formatCount(requests)],
    [sessions === 1 ? "session" : "sessions", formatCount(sessions)],
    ...(webSearches > 0 ? ([["web searches", formatCount(webSearches)]] as [string, string][]) : []),
    ...(unpricedTokens > 0
      ? ([["tokens without a known price", formatCompact(unpricedTokens), "text-warn"]] as [
          string,
          string,
          string,
        ][])
      : []),
  ];
  return (
    <div className="flex items-start gap-3 px-3 pt-2 pb-1">
      <dl className="flex min-h-6 min-w-0 flex-1 flex-wrap items-baseline gap-x-6 gap-y-1 text-12">
        {facts.map(([name, value, tone], at) => (
          <div key={name} className="flex flex-row-reverse items-baseline gap-1.5">
            <dt className="text-fg-3">
              {name}
              {/* Otherwise the foot shows it. */}
              {at === 0 && (
                <span className="sm:hidden">
                  {" "}
                  · prices of <span className="whitespace-nowrap">{pricesAsOf}</span>
                </span>
              )}
            </dt>
            <dd
              className={`font-semibold whitespace-nowrap tabular-nums ${at === 0 ? "text-15" : ""} ${tone ?? ""}`}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <span className="inline-flex flex-none gap-1">
        <DownloadButton name="CSV" type="text/csv" usage={usage} text={usageCsv} />
        <DownloadButton
          name="JSON"
          type="application/json"
          usage={usage}
          text={(data) => `${JSON.stringify(data, null, 2)}\n`}
        />
      </span>
    </div>
  );
}

/** Shown while sessions are still being read, so that a part is not taken for the whole. */
function Reading() {
  const indexing = useHealth().data?.indexing;
  if (!indexing) return null;
  const share = indexing.bytesTotal > 0 ? indexing.bytesDone / indexing.bytesTotal : 0;
  return (
    <StateBar tone="notice">
      <span className="flex items-center gap-3">
        Still reading: {formatCount(indexing.filesDone)} of {formatPlural(indexing.filesTotal, "log")}
        <span className="w-40 max-w-full">
          <Progress share={share} label="Logs read" />
        </span>
      </span>
    </StateBar>
  );
}

function daysAgo(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() - days + 1);
  return dayOf(day);
}
