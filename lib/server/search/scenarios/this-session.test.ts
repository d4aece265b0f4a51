import { expect, it } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { sessionFilter } from "../match-session";

async function openWorld() {
  const world = await searchedLibrary(
    makeTree(
      Object.fromEntries(
        [1, 2].map((n) => [
          `projects/-a/${uuid(n)}.jsonl`,
          [prompt("walrus now"), prompt(`number ${n} walrus`)],
        ]),
      ),
    ),
  );
  const ids = world.catalog.summaries().map(({ id }) => id);
  const one = ids.find((id) => id.includes(uuid(1))) as SessionId;
  const asked = (q: string, more: { session?: SessionId; here?: SessionId } = {}) =>
    world.search.page({ q, project: null, session: null, limit: 50, cursor: null, ...more });
  const sessionsOf = async (...args: Parameters<typeof asked>) => [
    ...new Set((await asked(...args)).hits.map(({ sessionId }) => sessionId)),
  ];
  return { ...world, ids, one, asked, sessionsOf };
}

it("a search is restricted to the session that is open, or to one that is named by its id's beginning", async () => {
  const { ids, one, sessionsOf } = await openWorld();
  const other = ids.filter((id) => id !== one);
  expect((await sessionsOf("walrus")).length).toBe(2);
  expect(await sessionsOf("walrus in:this-session", { here: one })).toEqual([one]);
  expect(await sessionsOf("walrus -in:this-session", { here: one })).toEqual(other);
  // Find in a session asks in it.
  expect(await sessionsOf("walrus in:this-session", { session: one })).toEqual([one]);
  expect(await sessionsOf(`walrus session:${one}`)).toEqual([one]);
  expect(await sessionsOf(`walrus session:${uuid(1).toUpperCase()}`)).toEqual([one]);
});

it("where no session is open it is pointed out, in a search and in the library, which is filtered by an id", async () => {
  const { catalog, scanner, one, asked } = await openWorld();
  const { problems } = await asked("walrus in:this-session");
  expect(problems).toMatchObject([{ from: 7, to: 22, message: expect.stringMatching(/no session is open/) }]);
  expect(sessionFilter({ catalog, scanner }, "in:this-session").problems()).toHaveLength(1);
  const { keep } = sessionFilter({ catalog, scanner }, `session:${uuid(1)}`);
  expect(
    catalog
      .summaries()
      .filter((session) => keep?.(session))
      .map(({ id }) => id),
  ).toEqual([one]);
});
