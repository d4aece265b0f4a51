import { libraryHref } from "@/components/library/library-filters";
import { formatDate, formatDay, formatModel } from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { formatFilter } from "@/lib/query/write-query";
import {
  type UsageBy,
  type UsageResponse,
  type UsageRow,
  type UsageSums,
  usageTokens,
} from "@/lib/wire/usage";

export const MEASURES = ["cost", "tokens"] as const;

export type Measure = (typeof MEASURES)[number];

/** A colour of the chart, and its meaning. `total`: over all bars. */
export type UsageSeries = { name: string; color: string; total: number };

/** A bar: a day, week or month with a part of each series. `from`, `to`: its first and last day. */
export type Bar = {
  key: string;
  label: string;
  from: string;
  to: string;
  parts: number[];
  total: number;
  row: UsageSums;
};

export type UsageChart = { step: Step; series: UsageSeries[]; bars: Bar[]; most: number };

type Step = "day" | "week" | "month";

/** Whether usage grouped so has one row per stretch of time. */
export function isTimeStep(by: UsageBy): by is Step {
  return by === "day" || by === "week" || by === "month";
}

/** This many bars can be distinguished at a glance; beyond that days become weeks, and weeks months. */
const MAX_BARS = 100;
/** This many are drawn if the reader asks for them: a clock that was wrong once makes decades of days. */
const MAX_DRAWN_BARS = 800;
const MAX_MODELS = 5;
const COLORS = ["var(--lane-6)", "var(--lane-2)", "var(--lane-7)", "var(--lane-1)", "var(--lane-4)"];
const REST = "var(--spine)";
const KINDS = [
  { name: "cache read", color: "var(--line-3)", of: (row: UsageSums) => row.cacheRead },
  {
    name: "cache write",
    color: "var(--lane-6)",
    of: (row: UsageSums) => row.cacheWrite5m + row.cacheWrite1h,
  },
  { name: "input", color: "var(--lane-2)", of: (row: UsageSums) => row.input },
  { name: "output", color: "var(--lane-7)", of: (row: UsageSums) => row.output },
];

/**
 * Usage over time as bars, oldest first and none left out: cost by model, tokens by their kind.
 * @param days rows by day
 * @param step what the reader has chosen; else as fine as fits
 */
export function usageChart(days: readonly UsageRow[], measure: Measure, step: Step | null): UsageChart {
  const dated = days.filter(({ key }) => key !== "").toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const chosen = fittingStep(dated, step);
  const groups = new Map<string, UsageRow[]>();
  for (const key of stepsBetween(dated[0]?.key, dated.at(-1)?.key, chosen)) groups.set(key, []);
  for (const day of dated) groups.get(stepOf(day.key, chosen))?.push(day);
  const models = measure === "cost" ? dearestModels(dated) : [];
  const shown = models.slice(0, MAX_MODELS);
  const partsOf = (rows: readonly UsageRow[]): number[] => {
    if (measure === "tokens") return KINDS.map(({ of }) => sumOf(rows, of));
    const own = rows.flatMap((row) => row.models);
    const costOf = (wanted: (name: string) => boolean) =>
      sumOf(own, ({ model, costMicroUsd }) => (wanted(formatModel(model)) ? (costMicroUsd ?? 0) : 0));
    const parts = shown.map((name) => costOf((one) => one === name));
    return models.length > shown.length ? [...parts, costOf((one) => !shown.includes(one))] : parts;
  };
  const bars = [...groups].map(([key, rows]): Bar => {
    const parts = partsOf(rows);
    const total = parts.reduce((sum, part) => sum + part, 0);
    return { key, ...spanOf(key, chosen), parts, total, row: together(rows) };
  });
  const names = measure === "tokens" ? KINDS : namedModels(shown, models.length - shown.length);
  const series = names.map(({ name, color }, at) => ({
    name,
    color,
    total: sumOf(bars, ({ parts }) => parts[at] ?? 0),
  }));
  return { step: chosen, series, bars, most: Math.max(0, ...bars.map(({ total }) => total)) };
}

function namedModels(shown: readonly string[], others: number): { name: string; color: string }[] {
  const named = shown.map((name, at) => ({ name, color: COLORS[at] ?? REST }));
  return others > 0 ? [...named, { name: `${others} more`, color: REST }] : named;
}

/** Models by name without their dates, the most expensive first. */
function dearestModels(rows: readonly UsageRow[]): string[] {
  const costs = new Map<string, number>();
  for (const { model, costMicroUsd } of rows.flatMap((row) => row.models)) {
    const name = formatModel(model);
    if (costMicroUsd) costs.set(name, (costs.get(name) ?? 0) + costMicroUsd);
  }
  return [...costs].sort(([, a], [, b]) => b - a).map(([model]) => model);
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

/** Several days as one; a session of several days counts in each, so sessions are not added up. */
function together(rows: readonly UsageRow[]): UsageSums {
  const sum = (of: (row: UsageSums) => number) => sumOf(rows, of);
  const priced = rows.filter(({ costMicroUsd }) => costMicroUsd !== null);
  return {
    requests: sum((row) => row.requests),
    sessions: Math.max(0, ...rows.map((row) => row.sessions)),
    input: sum((row) => row.input),
    output: sum((row) => row.output),
    cacheRead: sum((row) => row.cacheRead),
    cacheWrite5m: sum((row) => row.cacheWrite5m),
    cacheWrite1h: sum((row) => row.cacheWrite1h),
    webSearches: sum((row) => row.webSearches),
    costMicroUsd: rows.length > 0 && priced.length === 0 ? null : sum((row) => row.costMicroUsd ?? 0),
    unpricedTokens: sum((row) => row.unpricedTokens),
  };
}

/** The wanted step, or else the finest one that fits. */
function fittingStep(days: readonly UsageRow[], wanted: Step | null): Step {
  const [first, last] = [days[0]?.key, days.at(-1)?.key];
  const count = first && last ? (dateOf(last).getTime() - dateOf(first).getTime()) / 86_400_000 + 1 : 0;
  const fits = (step: Step, bars: number) => count <= bars * (step === "week" ? 7 : 1);
  if (wanted && (wanted === "month" || fits(wanted, MAX_DRAWN_BARS))) return wanted;
  if (fits("day", MAX_BARS)) return "day";
  return fits("week", MAX_BARS) ? "week" : "month";
}

/** The day, week or month that a day is part of: its first day. */
function stepOf(day: string, step: Step): string {
  const date = dateOf(day);
  if (step === "week") date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  if (step === "month") date.setDate(1);
  return dayOf(date);
}

function stepsBetween(first: string | undefined, last: string | undefined, step: Step): string[] {
  const steps: string[] = [];
  if (!first || !last) return steps;
  for (let day = stepOf(first, step); day <= last; day = dayOf(nextStep(day, step))) steps.push(day);
  return steps;
}

function nextStep(day: string, step: Step): Date {
  const date = dateOf(day);
  if (step === "month") date.setMonth(date.getMonth() + 1);
  else date.setDate(date.getDate() + (step === "week" ? 7 : 1));
  return date;
}

function spanOf(key: string, step: Step): Pick<Bar, "label" | "from" | "to"> {
  const end = nextStep(key, step);
  end.setDate(end.getDate() - 1);
  return { label: timeName(key, step), from: key, to: dayOf(end) };
}

/** A local date; of a month its first day. */
export function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

/** `2026-11-19` */
export function dayOf(date: Date): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}

const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** `Thu 19 Nov 2026`, `Week of 16 Nov 2026`, `November 2026`. */
function timeName(key: string, step: Step): string {
  if (key === "") return "No time in the log";
  const date = dateOf(key);
  if (step === "month") return MONTH.format(date);
  return step === "week" ? `Week of ${formatDate(date.getTime())}` : formatDay(date.getTime());
}

/**
 * What a table counts: a project, and days, both included (null for all), with agents' requests or without; and which of
 * its figures is looked at.
 */
export type RowsOf = {
  project: string | null;
  from: string | null;
  to: string | null;
  agents: boolean;
  measure: Measure;
};

/**
 * The days of a bar or row that are counted in it, both included: those of the table's range. What the address has of
 * that range may be a moment in epoch milliseconds, which is kept as it is where it falls between them.
 */
export function daysWithin(
  span: Pick<Bar, "from" | "to">,
  { from, to }: Pick<RowsOf, "from" | "to">,
): Pick<Bar, "from" | "to"> {
  const momentOf = (day: string, daysLater: number) => {
    if (/^\d+$/.test(day)) return Number(day);
    const date = dateOf(day);
    return date.setDate(date.getDate() + daysLater);
  };
  return {
    from: from !== null && momentOf(from, 0) > momentOf(span.from, 0) ? from : span.from,
    to: to !== null && momentOf(to, 1) < momentOf(span.to, 1) ? to : span.to,
  };
}

/**
 * The address of a list of a row's sessions, limited like its table; null if no page lists them. Of a day, week or month
 * that is their usage in it: the library has what they used in all their time.
 */
export function hrefOfRow(by: UsageBy, { key }: UsageRow, of: RowsOf): string | null {
  if (key === "") return null;
  const { project } = of;
  const within = wordsOfDays(of);
  switch (by) {
    case "day":
    case "week":
    case "month":
      return usageHref({ ...of, ...daysWithin(spanOf(by === "month" ? `${key}-01` : key, by), of) });
    case "project":
      return libraryHref({ project: key, q: within });
    case "session":
      return `/sessions/${encodeURIComponent(key)}`;
    case "branch":
      // As a filter: a word of the query would also match parts of other branches.
      return libraryHref({ project, branch: key, q: within });
    case "model":
    case "agent":
    case "tool": {
      if (by === "agent" && key === "?") return null;
      return libraryHref({ project, q: [formatFilter(by, key), within].filter(Boolean).join(" ") });
    }
  }
}

/** The address of the usage by session. */
function usageHref({ project, from, to, agents, measure }: RowsOf): string {
  const params = new URLSearchParams({ by: "session" });
  if (from !== null) params.set("from", from);
  if (to !== null) params.set("to", to);
  if (project !== null) params.set("project", project);
  if (!agents) params.set("agents", "false");
  if (measure !== "cost") params.set("measure", measure);
  return `/usage?${params}`;
}

/** Days in the form of a query. The address may contain a moment instead, which a query does not know. */
function wordsOfDays({ from, to }: Pick<RowsOf, "from" | "to">): string {
  const isDay = (day: string | null): day is string => day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day);
  const words = [isDay(from) && `after:${from}`, isDay(to) && `before:${dayOf(nextStep(to, "day"))}`];
  return words.filter(Boolean).join(" ");
}

/** The name of a row on the page. */
export function nameOfRow(by: UsageBy, { key, name }: UsageRow): string {
  if (isTimeStep(by)) return timeName(key, by);
  return key === "" ? NONE[by] : shownName(name);
}

const NONE: Record<Exclude<UsageBy, "day" | "week" | "month">, string> = {
  project: "no project",
  session: "no session",
  model: "no model named",
  branch: "no branch",
  agent: "main thread",
  tool: "answers without a tool",
};

const CSV_COLUMNS = [
  "requests",
  "sessions",
  "input",
  "output",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "webSearches",
  "costMicroUsd",
  "unpricedTokens",
] as const;

/** The rows as a table for other programs (RFC 4180): the key, the name and every number. */
export function usageCsv({ by, rows }: UsageResponse): string {
  const lines = rows.map((row) => [row.key, row.name, ...CSV_COLUMNS.map((column) => row[column] ?? "")]);
  return [[by, "name", ...CSV_COLUMNS], ...lines].map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

function quoted(value: string | number): string {
  const text = String(value);
  // A spreadsheet would run a name with this beginning as a formula.
  const safe = typeof value === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The value of a measure for a row; null if it is not known. */
export function measureOf(row: UsageSums, measure: Measure): number | null {
  return measure === "cost" ? row.costMicroUsd : usageTokens(row);
}
