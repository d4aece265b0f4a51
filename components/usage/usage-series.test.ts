import { expect, test } from "vitest";
import type { UsageResponse, UsageRow } from "@/lib/wire/usage";
import { hrefOfRow, nameOfRow, usageChart, usageCsv } from "./usage-series";

function row(key: string, costs: Record<string, number | null>, over: Partial<UsageRow> = {}): UsageRow {
  const models = Object.entries(costs).map(([model, costMicroUsd]) => ({ model, tokens: 10, costMicroUsd }));
  const costMicroUsd = models.reduce<number | null>(
    (sum, one) => (one.costMicroUsd === null ? sum : (sum ?? 0) + one.costMicroUsd),
    null,
  );
  return {
    key,
    name: key,
    requests: 1,
    sessions: 1,
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite5m: 4,
    cacheWrite1h: 0,
    webSearches: 0,
    costMicroUsd,
    unpricedTokens: 0,
    models,
    ...over,
  };
}

const ALL = { project: null, from: null, to: null, agents: true, measure: "cost" as const };

const DAYS = [
  row("2026-11-18", { "claude-opus-5-5": 30, "claude-haiku-5-5": 5 }),
  row("2026-11-16", { "claude-opus-5-5": 10 }),
  row("", { "claude-opus-5-5": 99 }),
];

test("days without a request are bars as well, oldest first; requests without a time are in none", () => {
  const { step, bars, series, most } = usageChart(DAYS, "cost", null);
  expect(step).toBe("day");
  expect(bars.map(({ key, parts }) => `${key}: ${parts.join()}`)).toEqual([
    "2026-11-16: 10,0",
    "2026-11-17: 0,0",
    "2026-11-18: 30,5",
  ]);
  expect(series.map(({ name, total }) => `${name} ${total}`)).toEqual(["opus-5-5 40", "haiku-5-5 5"]);
  expect(most).toBe(35);
});

test("a long time is drawn by weeks, a longer one by months", () => {
  const until = (last: string) => usageChart([row("2026-01-01", {}), row(last, {})], "cost", null);
  expect([until("2026-04-01").step, until("2026-08-01").step, until("2028-02-01").step]).toEqual([
    "day",
    "week",
    "month",
  ]);
  // A clock that was wrong once.
  const decades = usageChart([row("1970-01-01", {}), row("2026-11-01", {})], "cost", "day");
  expect([decades.step, decades.bars.length]).toEqual(["month", 683]);
  const { bars } = usageChart(DAYS, "tokens", "week");
  expect(bars.map(({ label, from, to, parts }) => [label, from, to, parts])).toEqual([
    ["Week of 16 Nov 2026", "2026-11-16", "2026-11-22", [6, 8, 2, 4]],
  ]);
  const months = usageChart([row("2026-01-31", {}), row("2026-03-01", {})], "cost", "month").bars;
  expect(months.map(({ label, from, to }) => [label, from, to])).toEqual([
    ["January 2026", "2026-01-01", "2026-01-31"],
    ["February 2026", "2026-02-01", "2026-02-28"],
    ["March 2026", "2026-03-01", "2026-03-31"],
  ]);
});

test("six models and more are five and the rest", () => {
  const costs = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name, at) => [name, 100 - at]));
  const { series, bars } = usageChart([row("2026-11-16", costs)], "cost", null);
  expect(series.map(({ name, total }) => `${name} ${total}`)).toEqual([
    "a 100",
    "b 99",
    "c 98",
    "d 97",
    "e 96",
    "2 more 189",
  ]);
  expect(bars[0]?.total).toBe(679);
});

test("models with the same name, with and without its date, are one", () => {
  const days = [
    row("2026-11-16", { "claude-opus-4-5": 10, "claude-opus-4-5-20251101": 20 }),
    row("2026-11-17", { "claude-opus-4-5-20251101": 5, "claude-haiku-5-5": 7 }),
  ];
  const { series, bars } = usageChart(days, "cost", null);
  expect(series.map(({ name, total }) => `${name} ${total}`)).toEqual(["opus-4-5 35", "haiku-5-5 7"]);
  expect(bars.map(({ parts }) => parts)).toEqual([
    [30, 0],
    [5, 7],
  ]);
});

test("a row leads to its sessions", () => {
  const href = (by: Parameters<typeof hrefOfRow>[0], key: string) =>
    decodeURIComponent(hrefOfRow(by, row(key, {}), ALL) ?? "none");
  const used = (from: string, to: string) => `/usage?by=session&from=${from}&to=${to}`;
  expect(href("day", "2026-11-30")).toBe(used("2026-11-30", "2026-11-30"));
  expect(href("week", "2026-11-16")).toBe(used("2026-11-16", "2026-11-22"));
  expect(href("month", "2026-12")).toBe(used("2026-12-01", "2026-12-31"));
  expect(href("model", "claude-opus-5-5")).toBe("/?q=model:claude-opus-5-5");
  expect(href("agent", 'the "quick" one')).toBe('/?q=agent:"the+\\"quick\\"+one"');
  expect(href("tool", 'say"hi"(x)')).toBe('/?q=tool:"say\\"hi\\"(x)"');
  expect(href("session", "abc")).toBe("/sessions/abc");
  expect(href("tool", "")).toBe("none");
  // "main" as a word of the query would find "maintenance", too.
  expect(href("branch", "main")).toBe("/?branch=main");
  expect(nameOfRow("tool", row("", {}))).toBe("answers without a tool");
});

test("a row of a project and of some days leads to its sessions of these", () => {
  const of = { ...ALL, project: "0a1b", from: "2026-11-30", to: "2026-12-31" };
  const href = (by: Parameters<typeof hrefOfRow>[0], key: string) =>
    decodeURIComponent(hrefOfRow(by, row(key, {}), of) ?? "none");
  const days = "after:2026-11-30+before:2027-01-01";
  expect(href("tool", "Bash")).toBe(`/?project=0a1b&q=tool:Bash+${days}`);
  expect(href("branch", "main")).toBe(`/?project=0a1b&q=${days}&branch=main`);
  expect(href("project", "0a1b")).toBe(`/?project=0a1b&q=${days}`);
  expect(
    decodeURIComponent(hrefOfRow("model", row("opus", {}), { ...of, from: "1767322800000" }) ?? ""),
  ).toBe("/?project=0a1b&q=model:opus+before:2027-01-01");
});

test("a row of a time leads to what it counts: its days in the table's range, with the same threads and figures", () => {
  const of = {
    project: "0a1b",
    from: "2026-11-18",
    to: "2026-12-05",
    agents: false,
    measure: "tokens" as const,
  };
  const days = (by: Parameters<typeof hrefOfRow>[0], key: string, range: Partial<typeof of> = {}) => {
    const params = new URL(hrefOfRow(by, row(key, {}), { ...of, ...range }) ?? "", "http://localhost")
      .searchParams;
    return `${params.get("from")} ${params.get("to")}`;
  };
  expect(hrefOfRow("month", row("2026-11", {}), of)).toBe(
    "/usage?by=session&from=2026-11-18&to=2026-11-30&project=0a1b&agents=false&measure=tokens",
  );
  expect(days("week", "2026-11-30")).toBe("2026-11-30 2026-12-05");
  expect(days("day", "2026-11-18")).toBe("2026-11-18 2026-11-18");
  const [noon, later] = [new Date(2026, 10, 18, 12), new Date(2026, 10, 19, 12)].map(
    (at) => `${at.getTime()}`,
  );
  expect(days("day", "2026-11-18", { from: `${noon}`, to: `${later}` })).toBe(`${noon} 2026-11-18`);
  expect(days("day", "2026-11-19", { from: `${noon}`, to: `${later}` })).toBe(`2026-11-19 ${later}`);
});

test("a table for other programs, in which no name is a formula", () => {
  const rows = [row('=1+"2", x', { m: 5 }), row("b", { m: null })];
  const csv = usageCsv({ by: "session", rows } as UsageResponse);
  expect(csv.split("\r\n")).toEqual([
    "session,name,requests,sessions,input,output,cacheRead,cacheWrite5m,cacheWrite1h,webSearches,costMicroUsd,unpricedTokens",
    `"'=1+""2"", x","'=1+""2"", x",1,1,1,2,3,4,0,0,5,0`,
    "b,b,1,1,1,2,3,4,0,0,,0",
    "",
  ]);
});
