import { expect, onTestFinished, test, vi } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { factNames, shareOf } from "@/lib/log/graph/session-share";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scanSession } from "@/lib/server/scan/scan-session";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { costOf, type RawLine } from "@/lib/testing/raw-lines";
import { LOGS, tableOf } from "@/lib/testing/records";
import { makeSummary } from "@/lib/testing/session-summary";
import { openFolder } from "@/lib/testing/transcript";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import { USAGE_BY, type UsageResponse, type UsageRow, usageTokens } from "@/lib/wire/usage";
import type { Catalog } from "./catalog";
import { LibraryTotals } from "./library-totals";
import { SessionRegistry } from "./session-registry";
import { inOrderOfBeginning, type UsageQuery, usageOf } from "./usage";

type Line = RawLine & { isSidechain?: boolean; [key: string]: unknown };

const OPUS = "claude-opus-5-5";

/** An answer, at a local time. */
function answer(
  id: string,
  time: string,
  tokens: number,
  more: Partial<Line> & { model?: string; tool?: string } = {},
): Line {
  const { model = OPUS, tool, ...rest } = more;
  const call = { type: "tool_use", id: `call ${id}`, name: tool, input: {} };
  return {
    type: "assistant",
    uuid: `uuid ${id}`,
    timestamp: new Date(time).toISOString(),
    message: {
      id,
      model,
      usage: {
        input_tokens: tokens,
        output_tokens: tokens,
        cache_read_input_tokens: tokens * 10,
        cache_creation_input_tokens: 7,
      },
      content: tool === undefined ? [{ type: "text", text: id }] : [call],
    },
    ...rest,
  };
}

const FIRST: Line[] = [
  answer("a", "2026-11-15T23:59:59", 1000),
  answer("b", "2026-11-16T00:00:00", 2000, { tool: "Bash" }),
  answer("c", "2026-11-17T12:00:00", 3000, { tool: "Read", model: "claude-haiku-5-5" }),
];
/** A fork: the copies are not counted again. */
const FORK: Line[] = [
  ...FIRST.slice(0, 2),
  answer("d", "2026-12-01T09:00:00", 500, { model: "claude-opus-9" }),
];
const OTHER: Line[] = [answer("e", "2026-11-16T10:00:00", 100, { tool: "Bash" })];

const SESSIONS = [
  { id: "first", project: "shop", branch: "main", at: "2026-11-15T23:00:00", lines: FIRST },
  { id: "fork", project: "shop", branch: "fix", at: "2026-11-15T23:30:00", lines: FORK },
  { id: "other", project: "tides", branch: "main", at: "2026-11-16T09:00:00", lines: OTHER },
];

function library({ listed = true } = {}) {
  const totals = new LibraryTotals();
  for (const { id, lines } of SESSIONS) {
    const table = tableOf(lines.map((json) => ({ file: 0, json })));
    totals.put(
      id as SessionId,
      shareOf(table, buildGraph(table, LOGS)),
      factNames(table, buildGraph(table, LOGS)),
    );
  }
  const summaries = SESSIONS.map(({ id, project, branch, at }) =>
    makeSummary({
      id: id as SessionId,
      projectId: project as ProjectId,
      title: `title of ${id}`,
      gitBranch: branch,
      startedAtMs: Date.parse(at),
    }),
  ).reverse();
  const projects = ["shop", "tides"].map((id) => ({ id, path: `/home/dev/${id}` }));
  const catalog = { listed, summaries: () => summaries, projects: () => projects } as unknown as Catalog;
  return { catalog, totals };
}

function ask(query: Partial<UsageQuery>) {
  const { catalog, totals } = library();
  const whole = {
    by: "day",
    project: null,
    fromMs: null,
    toMs: null,
    agents: true,
    zone: null,
    ...query,
  } as const;
  return usageOf(catalog, totals, whole, "2026-10-24");
}

const told = ({ key, name, requests, sessions, costMicroUsd }: UsageRow) =>
  `${key} (${name}): ${requests} of ${sessions}, ${costMicroUsd}`;

test("whatever it is added up by, rows make the totals, and those what the lines cost", () => {
  const { microUsd, unpricedTokens } = costOf(SESSIONS.flatMap(({ lines }) => lines));
  for (const by of USAGE_BY) {
    const { rows, totals, complete } = ask({ by });
    const sum = (of: (row: UsageRow) => number) => rows.reduce((all, row) => all + of(row), 0);
    expect([totals.requests, totals.costMicroUsd, totals.unpricedTokens], by).toEqual([
      5,
      microUsd,
      unpricedTokens,
    ]);
    expect([sum((row) => row.requests), sum((row) => row.costMicroUsd ?? 0), sum(usageTokens)], by).toEqual([
      5,
      microUsd,
      usageTokens(totals),
    ]);
    expect(complete).toBe(true);
    for (const row of rows)
      expect(
        row.models.reduce((all, { tokens }) => all + tokens, 0),
        by,
      ).toBe(usageTokens(row));
  }
});

test("page by page the rows are those of one answer, and totals those of all", () => {
  for (const by of USAGE_BY) {
    const whole = ask({ by });
    expect([whole.total, whole.nextCursor], by).toEqual([whole.rows.length, null]);
    for (const limit of [1, 2, 100]) {
      const rows: UsageRow[] = [];
      let cursor: string | null = null;
      do {
        const page: UsageResponse = ask({ by, limit, cursor });
        expect(page.rows.length, by).toBeLessThanOrEqual(limit);
        expect(page, by).toMatchObject({ total: whole.total, totals: whole.totals });
        rows.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(rows, by).toEqual(whole.rows);
    }
  }
  for (const cursor of ["x", "W10", "bnVsbA", "WzEsMiwzXQ"])
    expect(() => ask({ by: "session", cursor })).toThrow("No answer gave out this cursor");
});

test("days, weeks and months are those of this machine's zone, newest first", () => {
  expect(ask({ by: "day" }).rows.map(told)).toEqual([
    "2026-12-01 (2026-12-01): 1 of 1, null",
    "2026-11-17 (2026-11-17): 1 of 1, 2101",
    "2026-11-16 (2026-11-16): 2 of 2, 54670",
    "2026-11-15 (2026-11-15): 1 of 1, 26035",
  ]);
  expect(ask({ by: "week" }).rows.map(({ key }) => key)).toEqual(["2026-11-30", "2026-11-16", "2026-11-09"]);
  expect(ask({ by: "month" }).rows.map(({ key }) => key)).toEqual(["2026-12", "2026-11"]);
});

test("a clock that was far off puts an answer on no other day", () => {
  const session = "clocks" as SessionId;
  const lines = ["2026-11-16T10:00:00Z", "2199-01-02T00:00:00Z", "1969-07-20T20:17:00Z"].map((time, n) =>
    answer(`clock ${n}`, time, 10),
  );
  const table = tableOf(lines.map((json) => ({ file: 0, json })));
  const graph = buildGraph(table, LOGS);
  const totals = new LibraryTotals();
  totals.put(session, shareOf(table, graph), factNames(table, graph));
  const summaries = [makeSummary({ id: session, projectId: "shop" as ProjectId, title: "Clocks" })];
  const catalog = { summaries: () => summaries, projects: () => [] } as unknown as Catalog;
  const whole = { by: "month", project: null, fromMs: null, toMs: null, agents: true, zone: null } as const;
  const { rows } = usageOf(catalog, totals, whole, "2026-10-24");
  expect(rows.map(({ key, requests }) => `${key} ${requests}`)).toEqual(["2026-11 1", " 2"]);
});

test("a copied answer belongs to the session that began first", () => {
  expect(ask({ by: "session" }).rows.map(told)).toEqual([
    "first (title of first): 3 of 1, 80171",
    "other (title of other): 1 of 1, 2635",
    "fork (title of fork): 1 of 1, null",
  ]);
  expect(ask({ by: "session", project: "tides" }).rows.map(({ key }) => key)).toEqual(["other"]);
});

test("by what a request called first, by model, branch and project", () => {
  expect(ask({ by: "tool" }).rows.map(({ name, requests }) => `${name} ${requests}`)).toEqual([
    "Bash 2",
    "none 2",
    "Read 1",
  ]);
  expect(ask({ by: "model" }).rows.map(({ name }) => name)).toEqual([
    OPUS,
    "claude-haiku-5-5",
    "claude-opus-9",
  ]);
  expect(ask({ by: "branch" }).rows.map(({ name, requests }) => `${name} ${requests}`)).toEqual([
    "main 4",
    "fix 1",
  ]);
  expect(ask({ by: "project" }).rows.map(({ name }) => name)).toEqual(["/home/dev/shop", "/home/dev/tides"]);
});

test("by type of agent: the main thread, agents by the call that started them, and those of no known type", () => {
  const session = "agents" as SessionId;
  const files = [
    [answer("start", "2026-11-16T10:00:00", 10, { tool: "Agent" }), answer("end", "2026-11-16T10:09:00", 10)],
    [answer("look", "2026-11-16T10:01:00", 20, { tool: "Read" }), answer("say", "2026-11-16T10:02:00", 30)],
    [answer("other", "2026-11-16T10:03:00", 40, { tool: "Read" })],
  ];
  const table = tableOf(files.flatMap((lines, file) => lines.map((json) => ({ file, json }))));
  const graph = buildGraph(table, [...LOGS.slice(0, 2), { key: "00000002", agentId: "a2", meta: null }]);
  const totals = new LibraryTotals();
  totals.put(session, shareOf(table, graph), factNames(table, graph));
  const summaries = [makeSummary({ id: session, projectId: "shop" as ProjectId, title: "Agents" })];
  const catalog = { summaries: () => summaries, projects: () => [] } as unknown as Catalog;
  const by = (one: UsageQuery["by"]) =>
    usageOf(
      catalog,
      totals,
      { by: one, project: null, fromMs: null, toMs: null, agents: true, zone: null },
      "2026-10-24",
    )
      .rows.map(({ key, name, requests }) => `${key} (${name}) ${requests}`)
      .sort();
  expect(by("agent")).toEqual([" (main thread) 2", "? (agents of unknown type) 1", "Explore (Explore) 2"]);
  expect(by("tool")).toEqual([" (none) 2", "Agent (Agent) 1", "Read (Read) 2"]);
});

test("from a moment on, and up to another", () => {
  const [fromMs, toMs] = [Date.parse("2026-11-16T00:00:00"), Date.parse("2026-11-17T00:00:00")];
  expect(ask({ fromMs, toMs }).rows.map(({ key, requests }) => `${key} ${requests}`)).toEqual([
    "2026-11-16 2",
  ]);
});

test("a session that was not read yet is missing, which is reported", () => {
  const { catalog, totals } = library();
  totals.keepOnly(new Set(["first" as SessionId, "fork" as SessionId]));
  const query = { by: "project", project: null, fromMs: null, toMs: null, agents: true, zone: null } as const;
  const { complete, rows } = usageOf(catalog, totals, query, "2026-10-24");
  expect([complete, rows.map(({ key }) => key)]).toEqual([false, ["shop"]]);
});

test("totals are incomplete while folders are still being listed", () => {
  const { catalog, totals } = library({ listed: false });
  const whole = { by: "day", project: null, fromMs: null, toMs: null, agents: true, zone: null } as const;
  expect(usageOf(catalog, totals, whole, "2026-10-24").complete).toBe(false);
});

test("whether there are one or a hundred copies, no session is compared with all others for each of them", async () => {
  const original = uuid(999);
  const lines = exchange(0, original);
  const logs = (copies: number) =>
    Object.fromEntries([
      [original, lines],
      ...Array.from({ length: copies }, (_, n) => [uuid(n), copyOf(lines, original, uuid(n))]),
    ]);
  const looks = vi.spyOn(SessionRegistry.prototype, "entries");
  onTestFinished(() => looks.mockRestore());
  const counted: number[] = [];
  for (const copies of [1, 100]) {
    const { catalog } = await openFolder(makeTree(inProject(logs(copies))));
    looks.mockClear();
    const [first] = inOrderOfBeginning(catalog, catalog.summaries());
    expect(first?.id).toBe(original);
    counted.push(looks.mock.calls.length);
  }
  expect(counted[1]).toBe(counted[0]);
});

/** A folder's sessions, opened and read, and the number of requests that usage gives for each of them. */
async function requestsBySession(sessions: Record<string, readonly Record<string, unknown>[]>) {
  const { catalog } = await openFolder(makeTree(inProject(sessions)));
  const totals = new LibraryTotals();
  for (const { id } of catalog.summaries()) {
    const request = await scanRequest(catalog.sessionFiles(id));
    const { table } = scanSession(request.root, request.files);
    const graph = buildGraph(table, request.logs);
    totals.put(id, shareOf(table, graph), factNames(table, graph));
  }
  const whole = { by: "session", project: null, fromMs: null, toMs: null, agents: true, zone: null } as const;
  const { rows, totals: all } = usageOf(catalog, totals, whole, "2026-10-24");
  return { of: Object.fromEntries(rows.map(({ key, requests }) => [key, requests])), all: all.requests };
}

/** Logs by their names, as they lie in the folder of a project. */
const inProject = <Lines>(logs: Record<string, Lines>): Record<string, Lines> =>
  Object.fromEntries(
    Object.entries(logs).map(([name, lines]) => [`projects/-home-dev-shop/${name}.jsonl`, lines]),
  );

/** A prompt and its answer, the `n`th of a log. */
function exchange(n: number, sessionId: string) {
  const time = (second: number) => new Date(Date.UTC(2026, 2, 2) + (n * 60 + second) * 1000).toISOString();
  const line = { sessionId, cwd: "/home/dev/shop", version: "2.1.330" };
  const [asked, answered] = [`u${n}`, `a${n}`];
  const message = { role: "user", content: `question ${n}` };
  const parentUuid = n === 0 ? null : `a${n - 1}`;
  return [
    { ...line, type: "user", uuid: asked, parentUuid, timestamp: time(0), message },
    { ...answer(answered, time(5), 10), ...line, uuid: answered, parentUuid: asked },
  ];
}

/** The lines of a session as its copy has them: after `/branch` (2.1.110 and later) they name it, after `--fork-session` not. */
const copyOf = (lines: readonly { uuid: string }[], from: string | null, sessionId: string) =>
  lines.map((line) => ({
    ...line,
    sessionId,
    ...(from !== null && { forkedFrom: { sessionId: from, messageUuid: line.uuid } }),
  }));

test("copied messages count in the original session, whichever is listed first", async () => {
  const [original, branch, second, fork] = [uuid(9), uuid(5), uuid(1), uuid(3)];
  const lines = [...exchange(0, original), ...exchange(1, original)];
  const branched = [...copyOf(lines, original, branch), ...exchange(2, branch)];
  const found = await requestsBySession({
    // It went on later than its copies, and so did the first branch.
    [original]: [...lines, ...exchange(20, original)],
    [branch]: [...branched, ...exchange(10, branch)],
    [second]: [...copyOf(branched, branch, second), ...exchange(3, second)],
  });
  expect(found).toEqual({ of: { [original]: 3, [branch]: 2, [second]: 1 }, all: 6 });
  const forked = [...copyOf(lines, null, fork), ...exchange(2, fork)];
  expect(await requestsBySession({ [original]: lines, [fork]: forked })).toEqual({
    of: { [original]: 2, [fork]: 1 },
    all: 3,
  });
});
