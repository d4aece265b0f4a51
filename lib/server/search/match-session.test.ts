import { expect, test } from "vitest";
import type { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { makeSummary } from "@/lib/testing/session-summary";
import type { SessionMarks } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import { sessionFilter } from "./match-session";

const NOTHING: SessionMarks = {
  ...{ starred: false, hidden: false, name: null, tags: [], note: null },
  ...{ bookmarks: 0, openComments: 0, comments: 0 },
};

/** The titles of what a query leaves of three sessions with marks and one without, and how many it leaves out as hidden. */
async function listed(
  q: string | null,
  { hidesProject = false, inProject = false, ids = null as SessionId[] | null } = {},
) {
  const path = (n: number) => `projects/-home-dev-shop/${uuid(n)}.jsonl`;
  const root = makeTree({
    [path(1)]: [prompt("one"), { type: "custom-title", customTitle: "Taxes", sessionId: uuid(1) }],
    [path(2)]: [prompt("two")],
    [path(3)]: [prompt("three")],
    [path(4)]: [prompt("four")],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  const put = (n: number, marks: Partial<SessionMarks>) =>
    catalog.setMarks(uuid(n) as SessionId, { ...NOTHING, ...marks });
  // Before it is listed: the first listing may come later than the annotations.
  put(1, { starred: true, tags: ["Retry", "later"], name: "First of all" });
  await catalog.list();
  put(2, { hidden: true, note: "Ask Anna" });
  put(3, { note: "Ask Bo", bookmarks: 2, comments: 1 });
  catalog.setState(uuid(1) as SessionId, "waiting", null);
  catalog.setState(uuid(4) as SessionId, "running", null);
  const scanner = { facets: () => null } as unknown as Scanner;
  if (hidesProject) {
    const [project] = catalog.projects();
    if (project) catalog.setProjectMarks(project.id, { starred: false, hidden: true, note: null });
  }
  const filter = sessionFilter({ catalog, scanner }, q, null, ids);
  const project = inProject ? (catalog.projects()[0]?.id ?? null) : null;
  const { sessions, hidden } = catalog.sessions({
    ...{ ...filter, project, sort: "title", limit: 100, cursor: null },
  });
  return { titles: sessions.map(({ title }) => title).sort(), hidden };
}

const found = async (q: string | null) => (await listed(q)).titles;

test("hidden sessions are left out unless they are asked for", async () => {
  expect(await found(null)).toEqual(["First of all", "four", "three"]);
  expect(await found("ask")).toEqual(["three"]);
  expect(await found("is:hidden")).toEqual(["two"]);
  expect(await found("-is:hidden")).toEqual(["First of all", "four", "three"]);
  expect(await found("is:hidden OR is:starred")).toEqual(["First of all", "two"]);
});

test("sessions of a hidden project are only listed if the project, or hidden ones, are asked for", async () => {
  const hidesProject = true;
  expect(await listed(null)).toEqual({ titles: ["First of all", "four", "three"], hidden: 1 });
  expect(await listed(null, { hidesProject })).toEqual({ titles: [], hidden: 4 });
  expect(await listed("ask", { hidesProject })).toEqual({ titles: [], hidden: 2 });
  expect((await listed("is:hidden", { hidesProject })).titles).toEqual([
    "First of all",
    "four",
    "three",
    "two",
  ]);
  // What was hidden in it by itself stays so.
  expect(await listed(null, { hidesProject, inProject: true })).toEqual({
    titles: ["First of all", "four", "three"],
    hidden: 1,
  });
});

test("running sessions are found as the library counts them, waiting for their person or not", async () => {
  expect(await found("is:running")).toEqual(["First of all", "four"]);
  expect(await found("-is:running")).toEqual(["three"]);
});

test("a reader's own marks can be searched like a log", async () => {
  expect(await found("is:starred")).toEqual(["First of all"]);
  expect(await found("-is:starred")).toEqual(["four", "three"]);
  expect(await found("tag:retry")).toEqual(["First of all"]);
  expect(await found("tag:ret")).toEqual([]);
  expect(await found("tag:la*")).toEqual(["First of all"]);
  expect(await found("has:note")).toEqual(["three"]);
  expect(await found("has:bookmark has:comment")).toEqual(["three"]);
  // By its own name, its tags and the words of its note.
  expect(await found("first")).toEqual(["First of all"]);
  expect(await found("retry")).toEqual(["First of all"]);
  expect(await found("bo")).toEqual(["three"]);
  // And by the title that its log has.
  expect(await found("taxes")).toEqual(["First of all"]);
});

test("a date is a day of the reader, who may be elsewhere than the server", () => {
  // In the evening of the 15th in New York.
  const session = makeSummary({ title: "cart", lastActiveAtMs: Date.parse("2026-11-16T02:30:00Z") });
  const catalog = { summary: () => session, sessionFiles: () => ({ projectPath: "/shop" }) };
  const scanner = { facets: () => null };
  const isFound = (q: string, zone: string) =>
    sessionFilter({ catalog, scanner } as never, q, zone).keep?.(session);
  expect([
    isFound("after:2026-11-16", "Asia/Tokyo"),
    isFound("after:2026-11-16", "America/New_York"),
  ]).toEqual([true, false]);
});

test("sessions that are named are listed alone, hidden or not, and a query still narrows them", async () => {
  const ids = [uuid(2), uuid(4), uuid(9)] as SessionId[];
  expect((await listed(null, { ids, hidesProject: true })).titles).toEqual(["four", "two"]);
  expect((await listed("ask", { ids })).titles).toEqual(["two"]);
});

test("what ended unanswered is found once it was read and is over", async () => {
  const path = (n: number) => `projects/-home-dev-shop/${uuid(n)}.jsonl`;
  const root = makeTree({
    [path(1)]: [prompt("one")],
    [path(2)]: [prompt("two")],
    [path(3)]: [prompt("three")],
    [path(4)]: [prompt("four")],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const numbers = { ...UNKNOWN_FIGURES, activity: null, cost: null };
  catalog.setNumbers(uuid(1) as SessionId, { ...numbers, openEnd: "question" }, 1);
  catalog.setNumbers(uuid(2) as SessionId, { ...numbers, openEnd: "prompt" }, 1);
  catalog.setNumbers(uuid(3) as SessionId, numbers, 1);
  // One whose client waits for the answer is among the running ones.
  catalog.setState(uuid(2) as SessionId, "waiting", null);
  const scanner = { facets: () => null } as unknown as Scanner;
  const titles = (q: string) => {
    const filter = sessionFilter({ catalog, scanner }, q);
    const listed = catalog.sessions({ ...filter, project: null, sort: "title", limit: 100, cursor: null });
    return listed.sessions.map(({ title }) => title);
  };
  expect(titles("is:unanswered")).toEqual(["one"]);
  expect(titles("-is:unanswered")).toEqual(["three", "two"]);
  catalog.setState(uuid(2) as SessionId, "interrupted", null);
  expect(titles("is:unanswered")).toEqual(["one", "two"]);
});
