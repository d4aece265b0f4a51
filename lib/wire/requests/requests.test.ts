import { describe, expect, it } from "vitest";
import { MAX_OPEN_RUNS_IN_PANE, parseThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { withQuery } from "@/lib/client/connection/send";
import type { BranchId } from "../ids";
import { EventsRequest } from "./events";
import { ExportRequest, TicketBody } from "./exports";
import { SessionsRequest } from "./library";
import { CallRequest, RecordRequest } from "./records";
import { SearchRequest } from "./search";
import { GraphRequest, RowsRequest, ThreadRequest } from "./threads";
import { UsageRequest } from "./usage";
import { type Asked, PageRequest } from "./values";

/** The first fault of a request, or none. */
function fault(
  schema: typeof ThreadRequest | typeof TicketBody | typeof PageRequest | typeof SessionsRequest,
  given: object,
) {
  const { error } = schema.safeParse(given);
  return error?.issues[0] ? `${error.issues[0].path.join(".")}: ${error.issues[0].message}` : "none";
}

it.each([
  ["format=md", true],
  ["format=json&redact=1&except=email.2,user.1", true],
  [
    "format=md&redact=1&except=email.2&tilde=1&relative=1&branch=2&turns=3-7&records=m~1k9&thinking=0&tools=0&digest=1",
    true,
  ],
  ["format=html&branch=m~1k9&turns=3-7&thinking=0&tools=0", true],
  ["format=html&branch=2", true],
  ["format=json&branch=m~1k9&records=m~1k9..m~2ab", true],
  ["format=json&records=m~1k9,m~2ab", true],
  ["format=md&other=1", false],
  ["format=md&branch=../x", false],
  ["format=md&branch=", false],
  ["redact=1", false],
])("a ticket for an export with %s: %s", (query, isGiven) => {
  expect(TicketBody.safeParse({ path: `/api/sessions/abc/export?${query}` }).success).toBe(isGiven);
});

it.each([
  ["", true],
  ["at=m~1k9.0:before", true],
  ["at=../x", false],
  ["at=m~1k9&at=m~1k9", false],
])("a ticket for changed files with %s: %s", (query, isGiven) => {
  expect(TicketBody.safeParse({ path: `/api/sessions/abc/changed-files?${query}` }).success).toBe(isGiven);
});

it("an export names its branch by number or id, and its turns by the first and the last", () => {
  const part = (given: object) => {
    const { data, error } = ExportRequest.safeParse({ format: "md", ...given });
    return data ? [data.branch, data.turns, data.thinking, data.tools] : error.issues[0]?.message;
  };
  expect(part({})).toEqual([null, null, true, true]);
  expect(part({ branch: "2", turns: "3-7", thinking: "0" })).toEqual([2, { from: 3, to: 7 }, false, true]);
  expect(part({ branch: "m~1k9", turns: "3", tools: "0" })).toEqual([
    "m~1k9",
    { from: 3, to: 3 },
    true,
    false,
  ]);
  expect(part({ branch: "two" })).toBe("a branch’s number, like 2, or its id, like m~1k9");
  expect(part({ turns: "0-3" })).toBe("a turn, like 3, or the first and the last, like 3-7");
});

describe("what a request leaves out", () => {
  it("has its default", () => {
    expect(SessionsRequest.parse({})).toEqual({
      ids: null,
      project: null,
      q: null,
      sort: "active",
      zone: null,
      limit: 200,
      cursor: null,
    });
    expect(SearchRequest.parse({})).toEqual({
      q: "",
      project: null,
      session: null,
      zone: null,
      limit: 50,
      cursor: null,
    });
    expect(RowsRequest.parse({})).toEqual({
      branch: null,
      agent: null,
      detail: "tools",
      fold: [],
      runs: null,
      from: 0,
      count: 100,
      around: null,
      beginning: false,
    });
  });

  it("is no flag", () => {
    expect([
      RecordRequest.parse({}).raw,
      RecordRequest.parse({ raw: "0" }).raw,
      RecordRequest.parse({ raw: "1" }).raw,
    ]).toEqual([false, false, true]);
    expect([GraphRequest.parse({}).rows, GraphRequest.parse({ rows: "1" }).rows]).toEqual([false, true]);
    expect([
      GraphRequest.safeParse({ rows: "2" }).success,
      RecordRequest.safeParse({ raw: "2" }).success,
    ]).toEqual([false, false]);
  });
});

it("runs are folded when that is asked for, except for those that are named", () => {
  const runs = (text: string) => ThreadRequest.parse({ runs: text }).runs;
  expect(runs("folded")).toEqual([]);
  expect(runs("folded,m~1k9.0,00000001~a.12")).toEqual(["m~1k9.0", "00000001~a.12"]);
  expect(runs("")).toBeNull();
  for (const wrong of ["open", "m~1k9.0", "folded,m~1k9", "folded,,"])
    expect(fault(ThreadRequest, { runs: wrong })).toBe(
      "runs: folded, then keys of open runs, like folded,m~1k9.0",
    );
});

it("takes the open runs of a thread in which more were opened than a request may name: the last ones", () => {
  const all = Array.from({ length: 620 }, (_, n) => `m~${(n + 1).toString(36)}.0`);
  const choose = (mostRuns?: number) =>
    threadChoice({ ...parseThreadUrl(""), runs: all.join(",") }, "tools", true, mostRuns).runs ?? "";
  expect(ThreadRequest.parse({ runs: choose() }).runs).toEqual(all.slice(-500));
  const agents = `a1!${choose(MAX_OPEN_RUNS_IN_PANE).replaceAll(",", "!")}`;
  expect(EventsRequest.parse({ agents }).agents[0]?.runs).toEqual(all.slice(-100));
});

it("an agent beside the thread is named with its branch and its open runs", () => {
  expect(EventsRequest.parse({ agents: "a1,b2@b2~1k9!folded!b2~1ka.0,side1k9!folded" }).agents).toEqual([
    { agent: "a1", branch: null, runs: null },
    { agent: "b2", branch: "b2~1k9", runs: ["b2~1ka.0"] },
    { agent: "side1k9", branch: null, runs: [] },
  ]);
  expect(EventsRequest.safeParse({ agents: "a1@nowhere" }).success).toBe(false);
});

it("records, lines and turns are lists and ranges", () => {
  expect(GraphRequest.parse({ find: "m~1,m~2," }).find).toEqual(["m~1", "m~2"]);
  expect(CallRequest.parse({ original: "12-40" }).original).toEqual({ from: 12, to: 40 });
  expect(ThreadRequest.parse({ fold: "1-3,9" }).fold).toEqual([1, 2, 3, 9]);
});

describe("folded turns", () => {
  const foldOf = (fold: string) => ThreadRequest.parse({ fold }).fold;

  it("are each named once, however ranges overlap", () => {
    expect(foldOf("7,1-3,2-4,3,9-8,6-7")).toEqual([1, 2, 3, 4, 6, 7]);
    expect(foldOf("1-9999999")).toHaveLength(20_000);
    expect(foldOf("30000-40000,1-19999").slice(-2)).toEqual([19_999, 30_000]);
  });

  it.each(["1-20000", "1-19999", "0-9999999", "9999999-1"])(
    "cost no more time when %s is repeated for as long as an address may be",
    (range) => {
      const fold = Array.from({ length: 1_700 }, () => range).join(",");
      const before = process.cpuUsage();
      expect(foldOf(fold).length).toBeLessThanOrEqual(20_000);
      // Range by range this took several seconds, in which the server answers nobody.
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
    },
  );

  it("are refused where they are no numbers", () => {
    for (const wrong of ["1-", "-1", "1,,2", "a", "1-2-3", "12345678"])
      expect(fault(ThreadRequest, { fold: wrong })).toBe("fold: turn numbers and ranges, like 1-20,30");
  });
});

it("what is not taken is named with what is", () => {
  expect(fault(SessionsRequest, { sort: "agents" })).toContain("sort: ");
  expect(fault(PageRequest, { limit: "1001" })).toBe("limit: a whole number from 1 to 1000");
  expect(fault(ThreadRequest, { branch: "main" })).toBe("branch: a record id, like m~1k9");
  expect(fault(ThreadRequest, { agent: "../x" })).toBe("agent: an id: letters, digits and . _ ~ -");
  expect(fault(TicketBody, { path: "/api/sessions/a/rows" })).toBe(
    "path: a download's path and query, or /api/token",
  );
  expect(fault(TicketBody, { path: "/api/sessions/a/export?format=html" })).toBe("none");
});

it("what a client gives by its types is what the server reads", () => {
  const asked: Asked<typeof RowsRequest> = {
    branch: "m~1k9" as BranchId,
    agent: null,
    detail: "everything",
    fold: "1-3",
    runs: "folded",
    from: 4,
    beginning: true,
  };
  const { searchParams } = new URL(withQuery("http://localhost/rows", asked));
  expect(RowsRequest.parse(Object.fromEntries(searchParams))).toEqual({
    branch: "m~1k9",
    agent: null,
    detail: "everything",
    fold: [1, 2, 3],
    runs: [],
    from: 4,
    count: 100,
    around: null,
    beginning: true,
  });
});

it("usage is asked for from one day through another, or from one moment up to another", () => {
  const { from, to, ...rest } = UsageRequest.parse({ from: "2026-11-19", to: "2026-11-19" });
  expect([from, to]).toEqual([{ day: "2026-11-19" }, { day: "2026-11-19" }]);
  const all = { limit: null, cursor: null };
  expect(rest).toEqual({ by: "day", project: null, agents: true, zone: null, ...all });
  const moments = UsageRequest.parse({ from: "1763000000000", to: "1763000000001", agents: "0", by: "tool" });
  expect([moments.from, moments.to, moments.agents]).toEqual([
    { ms: 1763000000000 },
    { ms: 1763000000001 },
    false,
  ]);
  for (const wrong of [
    { by: "weather" },
    { from: "2026-02-31" },
    { from: "2026-13-01" },
    { to: "soon" },
    { agents: "no" },
  ])
    expect(UsageRequest.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
});
