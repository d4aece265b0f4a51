import { resolve } from "node:path";
import { expect, it } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { printedBy } from "@/lib/testing/printed";
import { SESSION_SORTS } from "@/lib/wire/library-columns";
import { printSessions } from "./sessions.mjs";

const DONE = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
const PROJECTS = [
  { id: "0a1b2c", path: "/home/dev/shop" },
  { id: "3d4e5f", path: "C:\\dev\\till" },
];

type Listed = Record<string, unknown>;

function session(nth: number, more: Listed = {}): Listed {
  return {
    ...{ id: `${String(nth).padStart(8, "0")}-0000-4000-8000-000000000001`, projectId: "0a1b2c" },
    ...{ title: `Session ${nth}`, state: "ended", storage: "both", problem: null },
    lastActiveAtMs: new Date(2026, 10, 19, 14, nth % 60).getTime(),
    startedAtMs: new Date(2026, 10, 18, 9).getTime(),
    cost: { microUsd: 1_234_500, unpricedTokens: 0, reportedMicroUsd: null },
    ...{ bytes: 1_100_000, turns: 12, toolCalls: 91, toolErrors: 5, toolsDenied: 1, tokens: 1_900_000 },
    ...more,
  };
}

/** What the command prints, and what it asks of the list. */
async function printed(
  options: Partial<Parameters<typeof printSessions>[1]>,
  sessions: readonly Listed[],
  more: { hidden?: number; problems?: { message: string }[] } = {},
) {
  const asked: URLSearchParams[] = [];
  const server = await fakeApi(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/api/sessions") asked.push(searchParams);
    const from = Number(searchParams.get("cursor") ?? 0);
    const to = from + Number(searchParams.get("limit"));
    const answers: Record<string, object> = {
      "/api/health": { indexing: DONE, warnings: [] },
      "/api/projects": { projects: PROJECTS },
      "/api/sessions": {
        ...{ hidden: 0, problems: [], ...more },
        sessions: sessions.slice(from, to),
        total: sessions.length,
        nextCursor: to < sessions.length ? String(to) : null,
      },
    };
    response.end(JSON.stringify(answers[pathname]));
  });
  const all = { query: "", sort: "active", project: null, limit: 50, json: false };
  const texts = await printedBy(() => printSessions(server, { ...all, ...options }));
  return { ...texts, asked };
}

it("lists sessions in a line each, with what is special about them", async () => {
  const unread = { turns: null, cost: null, lastActiveAtMs: null, title: "" };
  const { out, err } = await printed({}, [
    session(1, { title: "Fix the\nflaky\u001b[31m  test", state: "waiting", turns: 1 }),
    session(2, { projectId: "3d4e5f", state: "running", cost: { microUsd: null, unpricedTokens: 9 } }),
    session(3, { storage: "archive", cost: { microUsd: 60_000, unpricedTokens: 9 } }),
    session(4, { ...unread, logGone: true, problem: { code: "x", message: "It can’t be read", hint: "" } }),
  ]);
  expect(out.split("\n")).toEqual([
    "2026-11-19 14:01    shop  00000001    1 turn     $1.23  Fix the flaky [31m test  (waits for you)",
    "2026-11-19 14:02    till  00000002  12 turns  unpriced  Session 2  (running)",
    "2026-11-19 14:03    shop  00000003  12 turns   $0.06 +  Session 3  (log deleted, kept)",
    "at an unknown time  shop  00000004                      Untitled session  (log gone)  (It can’t be read)",
    "",
  ]);
  expect(err).toBe("");
});

it("says by what it was asked to order them, where a line does not already", async () => {
  const told: Record<string, string> = {};
  for (const sort of SESSION_SORTS) {
    const { out } = await printed({ sort }, [session(1)]);
    told[sort] = out.replace("2026-11-19 14:01  shop  00000001  12 turns  $1.23  ", "").trimEnd();
  }
  expect(told).toEqual({
    ...{ active: "Session 1", title: "Session 1", turns: "Session 1", cost: "Session 1" },
    started: "started 2026-11-18 09:00  Session 1",
    bytes: "1.1 MB  Session 1",
    tools: "91 tools  Session 1",
    errors: "4 errors  Session 1",
    tokens: "1,900,000 tokens  Session 1",
  });
});

it("asks for a query, an order and a project by its id or its folder", async () => {
  for (const project of ["0a1b2c", "/home/dev/shop/"]) {
    const { asked } = await printed(
      { query: "retry is:error", sort: "cost", project: [project, resolve(project)] },
      [session(1)],
    );
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      ...{ q: "retry is:error", sort: "cost", project: "0a1b2c", limit: "50" },
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  }
  await expect(printed({ project: ["/home/dev/other"] }, [])).rejects.toThrow("no project has the id");
});

it("asks for further pages, and says beside the lines what is not among them", async () => {
  const many = Array.from({ length: 2_400 }, (_, nth) => session(nth));
  const { out, err, asked } = await printed({ limit: 2_300 }, many, {
    hidden: 2,
    problems: [{ message: "is: needs one of error, denied" }],
  });
  expect(out.split("\n")).toHaveLength(2_301);
  expect(err.split("\n")).toEqual([
    "backscroll: in the query: is: needs one of error, denied",
    "2,300 of 2,400 sessions; a larger --limit shows more.",
    "2 hidden sessions more: is:hidden lists them.",
    "",
  ]);
  expect(asked.map((one) => one.get("limit"))).toEqual(["1000", "1000", "300"]);
});

it("prints as JSON an object a line, and nothing where there is none", async () => {
  const { out } = await printed({ json: true }, [session(1, { title: "Two\nlines" }), session(2)]);
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).title),
  ).toEqual(["Two\nlines", "Session 2"]);
  expect((await printed({ json: true }, [])).out).toBe("");
  expect((await printed({}, [])).out).toBe("No sessions found.\n");
});
