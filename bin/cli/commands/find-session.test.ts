import { expect, test } from "vitest";
import type { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { sessionFilter } from "@/lib/server/search/match-session";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { SessionsRequest } from "@/lib/wire/requests/library";
import { findSession } from "./find-session.mjs";

/** What answers as the server does, of two sessions of which the first one was hidden. */
async function listen() {
  const path = (n: number) => `projects/-home-dev-shop/${uuid(n)}.jsonl`;
  const root = makeTree({ [path(1)]: [prompt("one")], [path(2)]: [prompt("two")] });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  catalog.setMarks(uuid(1) as SessionId, {
    ...{ starred: false, hidden: true, name: null, tags: [], note: null },
    ...{ bookmarks: 0, openComments: 0, comments: 0 },
  });
  const scanner = { facets: () => null } as unknown as Scanner;
  return fakeApi((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const { q, ...query } = SessionsRequest.parse(Object.fromEntries(searchParams));
    const listed = () => catalog.sessions({ ...query, ...sessionFilter({ catalog, scanner }, q) });
    const body = pathname === "/api/health" ? { indexing: { phase: "done" } } : listed();
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
}

test("a session is found by its id, also one that was hidden from the library", async () => {
  const server = await listen();
  expect(await findSession(server, uuid(2))).toBe(uuid(2));
  expect(await findSession(server, uuid(1))).toBe(uuid(1));
});

test("the start of an id is enough where one session has it, hidden or not", async () => {
  const server = await listen();
  await expect(findSession(server, uuid(1).slice(0, -1))).rejects.toThrow("the ids of 2 sessions begin");
  await expect(findSession(server, "1")).rejects.toThrow("no session's id begins with that");
});
