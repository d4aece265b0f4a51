import { expect, test } from "vitest";
import type { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionMarks } from "@/lib/wire/annotations";
import type { SessionId } from "@/lib/wire/ids";
import { sessionFilter } from "./match-session";

const NOTHING: SessionMarks = {
  ...{ starred: false, hidden: false, name: null, tags: [], note: null },
  ...{ bookmarks: 0, openComments: 0, comments: 0 },
};

/** The titles of what a query leaves of three sessions with marks and one without. */
async function found(q: string | null): Promise<string[]> {
  const path = (n: number) => `projects/-home-dev-shop/${uuid(n)}.jsonl`;
  const root = makeTree({
    [path(1)]: [prompt("one")],
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
  const scanner = { facets: () => null } as unknown as Scanner;
  const { keep } = sessionFilter({ catalog, scanner }, q);
  return catalog
    .summaries()
    .filter(keep)
    .map(({ title }) => title)
    .sort();
}

test("what is hidden is left out unless it is asked for", async () => {
  expect(await found(null)).toEqual(["First of all", "four", "three"]);
  expect(await found("ask")).toEqual(["three"]);
  expect(await found("is:hidden")).toEqual(["two"]);
  expect(await found("-is:hidden")).toEqual(["First of all", "four", "three"]);
  expect(await found("is:hidden OR is:starred")).toEqual(["First of all", "two"]);
});

test("a reader's own marks are asked for like what a log says", async () => {
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
});
