"use client";

import { Wallet } from "lucide-react";
import { useMemo } from "react";
import { PageMenu } from "@/components/share/page-menu";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { Foot, Frame } from "@/components/ui/frame/frame";
import { HomeCrumb } from "@/components/ui/home-crumb";
import { EmptyState, FailedState, Progress, SkeletonRows, StateBar } from "@/components/ui/states";
import { useHealth } from "@/lib/client/use-health";
import { formatCount, formatIsoDay, formatPlural } from "@/lib/format/format";
import { CostliestPrompts } from "./costliest-prompts";
import { MissesView } from "./misses-view";
import { UsageBars } from "./usage-chart";
import { UsageScroll, useShownRows } from "./usage-scroll";
import { type Bar, daysWithin, isTimeStep, usageChart } from "./usage-series";
import { sortedRows, UsageTable } from "./usage-table";
import { UsageToolBar } from "./usage-tool-bar";
import { UsageTotals } from "./usage-totals";
import { type UsageView, useUsage, useUsageUrl } from "./usage-url";

const VIEW_CHOICES: readonly { value: UsageView; label: string }[] = [
  { value: "sums", label: "Usage" },
  { value: "prompts", label: "Prompts" },
  { value: "misses", label: "Cache misses" },
];

/** What was used and what it would cost, by which prompts, and why the cache was missed: what the address chooses. */
export function UsagePage() {
  const [{ view, from, to, project, agents, cause, order }, setUrl] = useUsageUrl();
  const byDay = useUsage("day", null);
  const days = byDay.data;
  const showAll = () => void setUrl({ from: null, to: null, project: null, agents: true });
  return (
    <Frame
      top={<UsageTop />}
      foot={
        <Foot
          left={
            <span>
              API-equivalent: list prices{days ? ` as of ${formatIsoDay(days.pricesAsOf)}` : ""}, not what a
              plan charges
            </span>
          }
          right={<span>What forks and resumed sessions repeat counts once</span>}
        />
      }
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      <main className="flex flex-col" tabIndex={-1}>
        <UsageToolBar days={days?.rows ?? []} />
        {view === "misses" ? (
          <MissesView
            asked={{ from, to, project, agents, cause }}
            onCause={(chosen) => void setUrl({ cause: chosen })}
            onAll={showAll}
          />
        ) : view === "prompts" ? (
          <CostliestPrompts
            asked={{ from, to, project, agents, sort: order }}
            onSort={(sort) => void setUrl({ order: sort })}
            onAll={showAll}
          />
        ) : (
          <UsageSumsView byDay={byDay} onAll={showAll} />
        )}
      </main>
    </Frame>
  );
}

/**
 * The sums: over time as a chart, and grouped as the reader chooses as a table.
 * @param byDay what was used on each day, as it was asked for
 * @param onAll the reader asks for every range and project
 */
function UsageSumsView({ byDay, onAll }: { byDay: ReturnType<typeof useUsage>; onAll: () => void }) {
  const days = byDay.data?.rows;
  const [{ by, from, to, project, agents, measure, sort, up }, setUrl] = useUsageUrl();
  const step = isTimeStep(by) ? by : null;
  const order = sort ?? (step ? "name" : measure);
  const list = JSON.stringify([by, from, to, project, agents, order, up]);
  const shown = useShownRows(list);
  // There may be tens of thousands of sessions. In the server's own order only those are asked for that are drawn.
  const isPaged = by === "session" && order === "cost" && !up;
  const grouped = useUsage(by, isPaged ? shown.count : null);
  const { data } = grouped;
  const chart = useMemo(() => days && usageChart(days, measure, step), [days, measure, step]);
  const sorted = useMemo(
    () => (isPaged ? (data?.rows ?? []) : sortedRows(by, data?.rows ?? [], order, up)),
    [by, data, isPaged, order, up],
  );
  const choose = (bar: Bar) =>
    void setUrl({ ...daysWithin(bar, { from, to }), by: step ? "session" : by }, { history: "push" });
  const isNarrowed = Boolean(from || to || project) || !agents;
  // Neither is shown without the other.
  const failed = [grouped, byDay].filter((query) => query.error && !query.data);
  const [first] = failed;
  if (first?.error)
    return (
      <FailedState
        title="Couldn’t add up the usage"
        error={first.error}
        onRetry={() => {
          for (const query of failed) void query.refetch();
        }}
      />
    );
  return (
    <>
      {data && !data.complete && <Reading />}
      {!data || !chart ? (
        <SkeletonRows count={14} label="Adding up" />
      ) : data.totals.requests === 0 ? (
        <EmptyState
          icon={Wallet}
          title={isNarrowed ? "No requests in this range" : "No requests yet"}
          actions={isNarrowed && <Button onClick={onAll}>Show all</Button>}
        >
          Usage comes from the counts that logs have of each answer. Sessions before client 1.0 may have none.
        </EmptyState>
      ) : (
        <UsageScroll label="Usage" list={list} count={shown.count}>
          <UsageTotals usage={data} />
          <UsageBars chart={chart} measure={measure} onChoose={choose} />
          <UsageTable
            by={by}
            of={{ project, from, to, agents, measure }}
            rows={sorted}
            total={data.total}
            shown={shown}
            totals={data.totals}
            order={{
              sort: order,
              up,
              onSort: (next, ascending) => void setUrl({ sort: next, up: ascending }),
            }}
          />
        </UsageScroll>
      )}
    </>
  );
}

function UsageTop() {
  const [{ view }, setUrl] = useUsageUrl();
  return (
    <>
      <HomeCrumb short />
      {/* On a narrow page the choice beside it says so too, and has no room otherwise. */}
      <h1 className="flex-1 font-semibold max-sm:sr-only">Usage</h1>
      <Segmented
        label="Show"
        className="max-sm:mr-auto"
        choices={VIEW_CHOICES}
        value={view}
        onChange={(value) => void setUrl({ view: value }, { history: "push" })}
      />
      <PageMenu />
    </>
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
